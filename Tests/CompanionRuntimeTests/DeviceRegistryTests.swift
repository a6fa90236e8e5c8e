import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing

@testable import CompanionRuntime

/// Recognition of headphones under changing addresses and names.
@Suite struct PeerBookTests {
  private let audio = BluetoothAddress(value: 0x0011_2233_4455)
  private let here = PeerAddress(BluetoothAddress(value: 0x5A00_0000_0001), .random)
  private let there = PeerAddress(BluetoothAddress(value: 0x4B00_0000_0002), .random)

  private func received(
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
    var registry = DeviceRegistry(now: { noon })
    let first = registry.receive(received(here, audio: audio))
    let second = registry.receive(received(there, name: "Renamed", audio: audio))
    #expect(first.id == second.id)
    #expect(registry.peer(of: first.id) == there)
  }

  @Test func `a name that is only a beginning is passed on as one`() {
    var registry = DeviceRegistry(now: { noon })
    var part = received(here)
    part.data = AdvertisingData([.localName(Bytes("Ea".utf8), isComplete: false)])
    #expect(registry.receive(received(here)).isNameShortened == false)
    #expect(registry.receive(part).isNameShortened)
  }

  @Test func `the audio side that an inquiry finds is the headphone's whose LE side is known`() {
    var registry = DeviceRegistry(now: { noon })
    let first = registry.receive(received(here, audio: audio))
    let inquiry = DiscoveredPeripheral(
      peer: PeerAddress(audio, .classic), rssi: -50, data: AdvertisingData(), isConnectable: true)
    let second = registry.receive(inquiry)
    #expect(second.id == first.id && second.address == first.address && !second.isAudioOnly)
    #expect(registry.peer(of: first.id) == here)
    #expect(registry.headphone(withAudio: audio) == first.id)
    #expect(registry.audioSide(of: first.id) == PeerAddress(audio, .classic))
  }

  @Test func `the audio side comes first, and the LE side that tells of it is the same headphone`()
  {
    var registry = DeviceRegistry(now: { noon })
    var inquiry = DiscoveredPeripheral(
      peer: PeerAddress(audio, .classic), rssi: -50, data: AdvertisingData(), isConnectable: true)
    inquiry.isAudioOnly = true
    let first = registry.receive(inquiry)
    #expect(first.isAudioOnly && first.publicAddress == audio.description)
    let second = registry.receive(received(here, audio: audio))
    #expect(second.id == first.id && !second.isAudioOnly && second.address == here)
  }

  @Test func `advertising data of a family shows controls, though its services are not reported`() {
    var registry = DeviceRegistry(now: { noon })
    var connected = received(here, audio: audio)
    connected.isAudioOnly = true
    #expect(!registry.receive(connected).isAudioOnly)
  }

  @Test func `one address on both transports is both sides'`() {
    var registry = DeviceRegistry(now: { noon })
    let peer = PeerAddress(audio, .public)
    let both = DiscoveredPeripheral(
      peer: peer, rssi: -50, data: AdvertisingData(), isConnectable: true, audioAddress: audio)
    let found = registry.receive(both)
    #expect(found.address == peer && found.publicAddress == audio.description)
  }

  @Test func `a new address is an unknown device's only until it names the audio side`() {
    var registry = DeviceRegistry(now: { noon })
    let first = registry.receive(received(here, audio: audio))
    // The manufacturer data comes with the scan response.
    let unknownDevice = registry.receive(received(there))
    #expect(unknownDevice.id != first.id && unknownDevice.earlierID == nil)
    let reported = registry.receive(received(there, audio: audio))
    #expect(reported.id == first.id && reported.earlierID == unknownDevice.id)
    #expect(Set(registry.peers.keys) == [first.id])
    let again = registry.receive(received(there))
    #expect(again.id == first.id && again.earlierID == nil)
  }

  @Test
  func `a headphone of an earlier run is no unknown device at an address that another has now`() {
    var registry = DeviceRegistry(now: { noon })
    registry.know(
      KnownHeadphone(
        id: HeadphoneID(rawValue: "old"), name: "Aurora", address: there))
    let first = registry.receive(received(here, audio: audio))
    #expect(registry.receive(received(there, audio: audio)).earlierID == nil)
    #expect(
      registry.peers.keys.contains(HeadphoneID(rawValue: "old"))
        && registry.peer(of: first.id) == there)
  }

  @Test func `a private address is the same headphone by its bond`() {
    let kept = PeerAddress(BluetoothAddress(value: 0xC000_0000_0009), .random)
    var registry = DeviceRegistry(now: { noon }) { [here, there] in
      [here, there].contains($0) ? kept : $0
    }
    let first = registry.receive(received(here))
    let second = registry.receive(received(there))
    #expect(first.id == second.id)
    #expect(first.id == HeadphoneID(rawValue: "c00000000009"))
    #expect(second.bondAddress == kept)
  }

  @Test(arguments: [false, true])
  func `the audio side is the headphone's whose bond has its address`(isBonded: Bool) {
    let kept = PeerAddress(audio, .public)
    var isPaired = isBonded
    var registry = DeviceRegistry(now: { noon }) { [here, there] in
      isPaired && [here, there].contains($0) ? kept : $0
    }
    let inquiry = DiscoveredPeripheral(
      peer: PeerAddress(audio, .classic), rssi: -50, data: AdvertisingData(), isConnectable: true)
    let sound = registry.receive(inquiry)
    let control = registry.receive(received(here))
    #expect((control.id == sound.id) == isBonded, "before the bond nothing shows that they are one")
    isPaired = true
    let next = registry.receive(received(there))
    #expect(next.id == control.id && next.address == there)
    #expect(next.earlierID == (isBonded ? nil : sound.id))
    let again = registry.receive(inquiry)
    #expect(again.id == control.id && again.publicAddress == audio.description)
    #expect(registry.peers == [control.id: there])
  }

  @Test func `an identity that bluetoothd reveals is the headphone's, and its audio side's`() {
    let kept = PeerAddress(audio, .public)
    var registry = DeviceRegistry(now: { noon })
    let inquiry = DiscoveredPeripheral(
      peer: PeerAddress(audio, .classic), rssi: -50, data: AdvertisingData(), isConnectable: true)
    let control = registry.receive(received(here))
    let sound = registry.receive(inquiry)
    let found = registry.learn(kept, of: control.id)
    #expect(found?.id == control.id && found?.bondAddress == kept && found?.address == kept)
    #expect(found?.earlierID == sound.id && found?.publicAddress == audio.description)
    #expect(registry.receive(inquiry).id == control.id)
    #expect(registry.peers == [control.id: kept])
    #expect(registry.learn(kept, of: HeadphoneID(rawValue: "nobody")) == nil)
  }

  @Test func `an audio side at a bond's random address is another headphone's`() {
    let kept = PeerAddress(audio, .random)
    var registry = DeviceRegistry(now: { noon }) { [here] in $0 == here ? kept : $0 }
    let control = registry.receive(received(here))
    let inquiry = DiscoveredPeripheral(
      peer: PeerAddress(audio, .classic), rssi: -50, data: AdvertisingData(), isConnectable: true)
    #expect(registry.receive(inquiry).id != control.id)
  }

  @Test func `a bond made under an earlier address is known in the next run`() {
    let kept = PeerAddress(BluetoothAddress(value: 0xC000_0000_0009), .random)
    var registry = DeviceRegistry(now: { noon }) { _ in kept }
    registry.know(
      KnownHeadphone(
        id: HeadphoneID(rawValue: "old"), name: "Aurora", address: here,
        bondAddress: kept))
    #expect(registry.receive(received(there)).id == HeadphoneID(rawValue: "old"))
  }

  @Test func `a headphone that was known before it was paired is known by its keys`() {
    let kept = PeerAddress(BluetoothAddress(value: 0xC000_0000_0009), .random)
    var registry = DeviceRegistry(now: { noon }) { [here] in $0 == here ? kept : $0 }
    registry.know(
      KnownHeadphone(
        id: HeadphoneID(rawValue: "old"), name: "Aurora", address: here))
    // As a radio reports it that resolves addresses itself.
    let received = registry.receive(received(kept))
    #expect(received.id == HeadphoneID(rawValue: "old"))
    #expect(received.bondAddress == kept)
  }

  @Test func `addresses are resolved only where that may report whose they are`() {
    let kept = PeerAddress(BluetoothAddress(value: 0xC000_0000_0009), .random)
    var resolved: [PeerAddress] = []
    var registry = DeviceRegistry(now: { noon }) { [here] in
      resolved.append($0)
      return $0 == here ? kept : $0
    }
    _ = registry.receive(received(here))
    _ = registry.receive(received(there))
    resolved = []
    // Its own address; the one that is bonded is not resolved again, nor the stranger.
    _ = registry.receive(received(PeerAddress(BluetoothAddress(value: 0x4C), .random)))
    #expect(resolved.count == 1)
    resolved = []
    _ = registry.receive(received(PeerAddress(BluetoothAddress(value: 0xC000_0000_0010), .random)))
    #expect(resolved.count == 3 && !resolved.contains(here))
  }

  @Test func `the same name is not the same headphone`() {
    var registry = DeviceRegistry(now: { noon })
    #expect(registry.receive(received(here)).id != registry.receive(received(there)).id)
  }

  @Test func `two headphones of one model stay two, though one takes the other's address`() {
    let other = BluetoothAddress(value: 0x0011_2233_4466)
    var registry = DeviceRegistry(now: { noon })
    let first = registry.receive(received(here, audio: audio))
    let second = registry.receive(received(here, audio: other))
    #expect(first.id != second.id)
    #expect(registry.receive(received(there, audio: audio)).id == first.id)
  }

  @Test func `an identity that is taken is not given twice`() {
    var registry = DeviceRegistry(now: { noon })
    let first = registry.receive(received(here))
    registry.merge(registry.receive(received(there)).id, with: first.id)
    let newDevice = registry.receive(received(here))
    #expect(newDevice.id != first.id)
    #expect(registry.peer(of: first.id) == there)
  }

  @Test func `a united headphone keeps what either reported`() {
    var registry = DeviceRegistry(now: { noon })
    let first = registry.receive(received(here, audio: audio))
    let second = registry.receive(received(there))
    registry.merge(second.id, with: first.id)
    #expect(registry.peer(of: first.id) == there)
    #expect(registry.receive(received(here, audio: audio)).id == first.id)
  }

  // MARK: Coordinated sets

  /// The key of CSIS 1.0, Appendix A.
  private let key = SetKey([
    0xCD, 0xCC, 0x72, 0xDD, 0x86, 0x8C, 0xCD, 0xCE, 0x22, 0xFD, 0xA1, 0x21, 0x09, 0x7D, 0x7D, 0x45,
  ])

  private func member(_ peer: PeerAddress, random: UInt32 = 0x69F563) -> DiscoveredPeripheral {
    var peripheral = received(peer, name: "Bud")
    peripheral.data.structures.append(
      .resolvableSetIdentifier((key?.identifier(random: random) ?? [])[...]))
    return peripheral
  }

  @Test func `two of a set are two until the key is known, and then one`() throws {
    let key = try #require(key)
    var registry = DeviceRegistry(now: { noon })
    let first = registry.receive(member(here)).id
    let second = registry.receive(member(there, random: 7)).id
    let unknownDevice = registry.receive(
      received(PeerAddress(BluetoothAddress(value: 0xC3), .random))
    ).id
    #expect(first != second)
    #expect(registry.learn(key, of: first) == [second])
    #expect(registry.members(of: first) == [there])
    #expect(registry.headphone(withMember: there) == first)
    #expect(registry.headphone(withMember: here) == nil)
    let received = registry.receive(member(there, random: 8))
    #expect(received.id == first)
    #expect(received.address == here)
    #expect(registry.peer(of: first) == here)
    #expect(registry.peer(of: unknownDevice) != nil)
  }

  @Test func `a bud of an earlier run that is not received is a member all the same`() {
    var registry = DeviceRegistry(now: { noon })
    let id = HeadphoneID(rawValue: "duo")
    registry.know(
      KnownHeadphone(
        id: id, name: "", address: here, setKey: key,
        memberAddresses: [there]))
    // Nobody is called who is not heard.
    #expect(registry.members(of: id) == [] && registry.everyMember(of: id) == [there])
    _ = registry.receive(member(there))
    #expect(registry.members(of: id) == [there] && registry.everyMember(of: id) == [there])
  }

  @Test func `a bud that is received alone is the headphone's address`() throws {
    var registry = DeviceRegistry(now: { noon })
    let id = HeadphoneID(rawValue: "duo")
    registry.know(KnownHeadphone(id: id, name: "", address: here, setKey: key))
    for _ in 1...4 { #expect(registry.receive(member(there)).address == here) }
    #expect(registry.receive(member(there)).address == there)
    #expect(registry.peer(of: id) == there)
    #expect(registry.members(of: id) == [here])
    // The other one is a member now.
    #expect(registry.receive(member(here)).address == there)
  }

  @Test func `the other bud does not replace one that has a link, and so does not advertise`() {
    var registry = DeviceRegistry(now: { noon })
    let id = HeadphoneID(rawValue: "duo")
    registry.know(KnownHeadphone(id: id, name: "", address: here, setKey: key))
    for _ in 1...9 {
      #expect(registry.receive(member(there), isLinked: { $0 == id }).address == here)
      #expect(registry.headphone(withMember: there) == id)
    }
    #expect(registry.receive(member(there)).address == here)
  }

  @Test func `a bud's newest private address is the last, and old ones go`() {
    func address(_ number: Int) -> PeerAddress {
      PeerAddress(BluetoothAddress(value: 0x5B00_0000_0000 + UInt64(number)), .random)
    }
    var registry = DeviceRegistry(now: { noon })
    let id = HeadphoneID(rawValue: "duo")
    registry.know(KnownHeadphone(id: id, name: "", address: here, setKey: key))
    for number in 1...20 {
      _ = registry.receive(member(address(number)), isLinked: { _ in true })
    }
    #expect(registry.members(of: id) == (13...20).map(address))
    _ = registry.receive(member(address(15)), isLinked: { _ in true })
    #expect(registry.members(of: id).last == address(15))
    #expect(registry.members(of: id).count == 8)
  }

  @Test func `a bonded bud under a new private address is itself, not another member`() {
    let kept = PeerAddress(BluetoothAddress(value: 0xC000_0000_0009), .random)
    var registry = DeviceRegistry(now: { noon }) { _ in kept }
    let id = HeadphoneID(rawValue: "duo")
    registry.know(
      KnownHeadphone(
        id: id, name: "", address: here, bondAddress: kept, setKey: key))
    #expect(registry.receive(member(there)).address == there)
    #expect(registry.members(of: id) == [])
  }
}
