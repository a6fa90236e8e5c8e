import Bluetooth
import BluetoothCodec
import Companion
import GATT
import Headphones
import Testing

@testable import CompanionRuntime

/// Which headphone is heard, whatever its address or name is today.
@Suite struct PeerBookTests {
  private let audio = BluetoothAddress(value: 0x0011_2233_4455)
  private let here = PeerAddress(BluetoothAddress(value: 0x5A00_0000_0001), .random)
  private let there = PeerAddress(BluetoothAddress(value: 0x4B00_0000_0002), .random)

  private func heard(
    _ peer: PeerAddress, name: String = "Aurora", audio: BluetoothAddress? = nil
  ) -> DiscoveredPeripheral {
    var structures: [AdvertisingStructure] = [.localName(Bytes(name.utf8), isComplete: true)]
    if let audio {
      structures.append(
        .manufacturerData(
          company: 0xFFFF, Bytes([0x01] + audio.littleEndianBytes + [80, 75, 0xFF])))
    }
    return DiscoveredPeripheral(
      peer: peer, rssi: -50, data: AdvertisingData(structures), isConnectable: true)
  }

  @Test func `a changed address and a new name are the same headphone by its audio side`() {
    var book = DeviceRegistry(now: { noon })
    let first = book.receive(heard(here, audio: audio))
    let second = book.receive(heard(there, name: "Renamed", audio: audio))
    #expect(first.id == second.id)
    #expect(book.peer(of: first.id) == there)
  }

  @Test func `a new address is a stranger's only until it tells of the audio side`() {
    var book = DeviceRegistry(now: { noon })
    let first = book.receive(heard(here, audio: audio))
    // The manufacturer data comes with the scan response.
    let stranger = book.receive(heard(there))
    #expect(stranger.id != first.id && stranger.earlierID == nil)
    let told = book.receive(heard(there, audio: audio))
    #expect(told.id == first.id && told.earlierID == stranger.id)
    #expect(Set(book.peers.keys) == [first.id])
    let again = book.receive(heard(there))
    #expect(again.id == first.id && again.earlierID == nil)
  }

  @Test func `a headphone of an earlier run is no stranger at an address that another has now`() {
    var book = DeviceRegistry(now: { noon })
    book.know(
      KnownHeadphone(
        id: HeadphoneID(rawValue: "old"), name: "Aurora", address: AirAddress(there)))
    let first = book.receive(heard(here, audio: audio))
    #expect(book.receive(heard(there, audio: audio)).earlierID == nil)
    #expect(
      book.peers.keys.contains(HeadphoneID(rawValue: "old")) && book.peer(of: first.id) == there)
  }

  @Test func `a private address is the same headphone by its bond`() {
    let kept = PeerAddress(BluetoothAddress(value: 0xC000_0000_0009), .random)
    var book = DeviceRegistry(now: { noon }) { [here, there] in
      [here, there].contains($0) ? kept : $0
    }
    let first = book.receive(heard(here))
    let second = book.receive(heard(there))
    #expect(first.id == second.id)
    #expect(first.id == HeadphoneID(rawValue: "c00000000009"))
    #expect(second.bondAddress == AirAddress(kept))
  }

  @Test func `a bond made under an earlier address is known in the next run`() {
    let kept = PeerAddress(BluetoothAddress(value: 0xC000_0000_0009), .random)
    var book = DeviceRegistry(now: { noon }) { _ in kept }
    book.know(
      KnownHeadphone(
        id: HeadphoneID(rawValue: "old"), name: "Aurora", address: AirAddress(here),
        bondAddress: AirAddress(kept)))
    #expect(book.receive(heard(there)).id == HeadphoneID(rawValue: "old"))
  }

  @Test func `a headphone that was known before it was paired is known by its keys`() {
    let kept = PeerAddress(BluetoothAddress(value: 0xC000_0000_0009), .random)
    var book = DeviceRegistry(now: { noon }) { [here] in $0 == here ? kept : $0 }
    book.know(
      KnownHeadphone(
        id: HeadphoneID(rawValue: "old"), name: "Aurora", address: AirAddress(here)))
    // As a radio reports it that resolves addresses itself.
    let heard = book.receive(heard(kept))
    #expect(heard.id == HeadphoneID(rawValue: "old"))
    #expect(heard.bondAddress == AirAddress(kept))
  }

  @Test func `addresses are resolved only where that may report whose they are`() {
    let kept = PeerAddress(BluetoothAddress(value: 0xC000_0000_0009), .random)
    var resolved: [PeerAddress] = []
    var book = DeviceRegistry(now: { noon }) { [here] in
      resolved.append($0)
      return $0 == here ? kept : $0
    }
    _ = book.receive(heard(here))
    _ = book.receive(heard(there))
    resolved = []
    // Its own address; the one that is bonded is not resolved again, nor the stranger.
    _ = book.receive(heard(PeerAddress(BluetoothAddress(value: 0x4C), .random)))
    #expect(resolved.count == 1)
    resolved = []
    _ = book.receive(heard(PeerAddress(BluetoothAddress(value: 0xC000_0000_0010), .random)))
    #expect(resolved.count == 3 && !resolved.contains(here))
  }

  @Test func `the same name is not the same headphone`() {
    var book = DeviceRegistry(now: { noon })
    #expect(book.receive(heard(here)).id != book.receive(heard(there)).id)
  }

  @Test func `two headphones of one model stay two, though one takes the other's address`() {
    let other = BluetoothAddress(value: 0x0011_2233_4466)
    var book = DeviceRegistry(now: { noon })
    let first = book.receive(heard(here, audio: audio))
    let second = book.receive(heard(here, audio: other))
    #expect(first.id != second.id)
    #expect(book.receive(heard(there, audio: audio)).id == first.id)
  }

  @Test func `an identity that is taken is not given twice`() {
    var book = DeviceRegistry(now: { noon })
    let first = book.receive(heard(here))
    book.merge(book.receive(heard(there)).id, with: first.id)
    let newcomer = book.receive(heard(here))
    #expect(newcomer.id != first.id)
    #expect(book.peer(of: first.id) == there)
  }

  @Test func `a united headphone keeps what either told`() {
    var book = DeviceRegistry(now: { noon })
    let first = book.receive(heard(here, audio: audio))
    let second = book.receive(heard(there))
    book.merge(second.id, with: first.id)
    #expect(book.peer(of: first.id) == there)
    #expect(book.receive(heard(here, audio: audio)).id == first.id)
  }

  // MARK: Coordinated sets

  /// The key of CSIS 1.0, Appendix A.
  private let key = SetKey([
    0xCD, 0xCC, 0x72, 0xDD, 0x86, 0x8C, 0xCD, 0xCE, 0x22, 0xFD, 0xA1, 0x21, 0x09, 0x7D, 0x7D, 0x45,
  ])

  private func member(_ peer: PeerAddress, random: UInt32 = 0x69F563) -> DiscoveredPeripheral {
    var peripheral = heard(peer, name: "Bud")
    peripheral.data.structures.append(
      .resolvableSetIdentifier((key?.identifier(random: random) ?? [])[...]))
    return peripheral
  }

  @Test func `two of a set are two until the key is known, and then one`() throws {
    let key = try #require(key)
    var book = DeviceRegistry(now: { noon })
    let first = book.receive(member(here)).id
    let second = book.receive(member(there, random: 7)).id
    let stranger = book.receive(heard(PeerAddress(BluetoothAddress(value: 0xC3), .random))).id
    #expect(first != second)
    #expect(book.learn(key, of: first) == [second])
    #expect(book.members(of: first) == [there])
    #expect(book.headphone(withMember: there) == first)
    #expect(book.headphone(withMember: here) == nil)
    let heard = book.receive(member(there, random: 8))
    #expect(heard.id == first)
    #expect(heard.address == AirAddress(here))
    #expect(book.peer(of: first) == here)
    #expect(book.peer(of: stranger) != nil)
  }

  @Test func `a bud of an earlier run that is not heard is a member all the same`() {
    var book = DeviceRegistry(now: { noon })
    let id = HeadphoneID(rawValue: "duo")
    book.know(
      KnownHeadphone(
        id: id, name: "", address: AirAddress(here), setKey: key,
        memberAddresses: [AirAddress(there)]))
    // Nobody is called who is not heard.
    #expect(book.members(of: id) == [] && book.everyMember(of: id) == [there])
    _ = book.receive(member(there))
    #expect(book.members(of: id) == [there] && book.everyMember(of: id) == [there])
  }

  @Test func `a bud that is heard alone is the headphone's address`() throws {
    var book = DeviceRegistry(now: { noon })
    let id = HeadphoneID(rawValue: "duo")
    book.know(KnownHeadphone(id: id, name: "", address: AirAddress(here), setKey: key))
    for _ in 1...4 { #expect(book.receive(member(there)).address == AirAddress(here)) }
    #expect(book.receive(member(there)).address == AirAddress(there))
    #expect(book.peer(of: id) == there)
    #expect(book.members(of: id) == [here])
    // The other one is a member now.
    #expect(book.receive(member(here)).address == AirAddress(there))
  }

  @Test func `a bonded bud under a new private address is itself, not another member`() {
    let kept = PeerAddress(BluetoothAddress(value: 0xC000_0000_0009), .random)
    var book = DeviceRegistry(now: { noon }) { _ in kept }
    let id = HeadphoneID(rawValue: "duo")
    book.know(
      KnownHeadphone(
        id: id, name: "", address: AirAddress(here), bondAddress: AirAddress(kept), setKey: key))
    #expect(book.receive(member(there)).address == AirAddress(there))
    #expect(book.members(of: id) == [])
  }
}
