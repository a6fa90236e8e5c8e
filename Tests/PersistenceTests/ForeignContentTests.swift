import BluetoothCodec
import BluetoothRadio
import Companion
import Glibc
import HeadphoneProtocols
import JSON
import TestSupport
import Testing

@testable import Persistence

/// An older program keeps what it does not understand in a newer program's files.
@Suite struct ForeignContentTests {
  private let folder = TemporaryFolder()
  private let adapter = BluetoothAddress(value: 0x001A_7DDA_7113)
  private static let digits = "00112233445566778899aabbccddeeff"

  private func write(_ text: String, to name: String) throws {
    try folder.state.file(name).replace(with: Array(text.utf8))
  }

  private func json(_ name: String) throws -> JSON {
    try JSON(parsing: try #require(try folder.state.file(name).read()))
  }

  @Test func `headphones keep foreign members, entries and members of the file`() throws {
    try write(
      """
      {"version":1,"writer":"2.0","devices":[
        {"id":"f0","name":"Ear","address":"F0:F1:F2:F3:F4:F5","addressType":"random","colour":"red",
         "members":[{"address":"F0:F1:F2:F3:F4:F6","addressType":"random","side":"left"}]},
        {"id":"a0","name":"New","address":"A0:A1:A2:A3:A4:A5","addressType":"mesh"}]}
      """, to: "devices.json")
    let known = KnownHeadphones(in: folder.state)
    var ear = try #require(try known.all().first)
    ear.name = "Renamed"
    ear.lastUsed = Timestamp(milliseconds: 7)
    try known.remember(ear)
    let file = try json("devices.json")
    #expect(file["writer"]?.text == "2.0")
    let devices = try #require(file["devices"]?.elements)
    let entry = try #require(devices.first { $0["id"]?.text == "f0" })
    #expect(entry["name"]?.text == "Renamed" && entry["lastUsed"]?.wholeNumber == 7)
    #expect(entry["colour"]?.text == "red")
    #expect(entry["members"]?.elements?.first?["side"]?.text == "left")
    #expect(devices.contains { $0["addressType"]?.text == "mesh" })
    // What is forgotten goes all the same.
    try known.forget(HeadphoneID(rawValue: "a0"))
    try known.forget(ear.id)
    #expect(try json("devices.json")["devices"]?.elements == [])
  }

  @Test func `bonds keep foreign keys, members and entries, and drop them on request`()
    async throws
  {
    let longTermKey = """
      {"kind":2,"central":0,"encryptionSize":16,"encryptedDiversifier":0,
       "random":"0000000000000000","key":"\(Self.digits)","made":1}
      """
    try write(
      """
      {"version":1,"bonds":[
        {"adapter":"\(adapter)","address":"C0:FF:EE:00:00:01","addressType":"random",
         "longTermKeys":[\(longTermKey)],"identityResolvingKey":null,"linkKey":null,"csrk":"aa"},
        {"adapter":"\(adapter)","address":"C0:FF:EE:00:00:02","addressType":"random",
         "sealedKeys":"…"}]}
      """, to: "bonds.json")
    let bonds = BondFile(in: folder.state)
    #expect(await bonds.bonds().count == 1)
    let key = try #require(SecretKey(Bytes(0..<16)))
    let peer = PeerAddress(try #require(BluetoothAddress("C0:FF:EE:00:00:01")), .random)
    bonds.keep(
      .identityResolving(IdentityResolvingKey(peer: ManagementPeer(peer), key: key)), of: adapter)
    await bonds.flush()
    let entries = try #require(try json("bonds.json")["bonds"]?.elements)
    let entry = try #require(entries.first { $0["csrk"]?.text == "aa" })
    #expect(entry["identityResolvingKey"]?.text != nil)
    #expect(entry["longTermKeys"]?.elements?.first?["made"]?.wholeNumber == 1)
    #expect(entries.contains { $0["sealedKeys"] != nil })
    let other = PeerAddress(try #require(BluetoothAddress("C0:FF:EE:00:00:02")), .random)
    await bonds.drop(other)
    #expect(try json("bonds.json")["bonds"]?.elements?.count == 1)
  }

  @Test func `presets and charges of a newer program stay`() throws {
    try write(
      #"{"version":1,"presets":[{"name":"a","bands":[1],"q":[0.7]},{"name":"p","graph":[]}]}"#,
      to: "equaliser.json")
    let gain = try #require(BandGain(halfDecibels: 4))
    _ = try SavedEQs(in: folder.state).apply(.keep(SavedEQ(name: "a", gains: [gain])))
    let presets = try #require(try json("equaliser.json")["presets"]?.elements)
    #expect(presets.first { $0["name"]?.text == "a" }?["q"] != nil)
    #expect(presets.contains { $0["graph"] != nil })
  }

  @Test(arguments: [false, true])
  func `a preset that is renamed keeps what a newer program wrote of it`(isTaken: Bool) throws {
    let taken = isTaken ? #",{"name":"b","bands":[2],"gain":3}"# : ""
    try write(
      #"{"version":1,"presets":[{"name":"a","bands":[1],"q":[0.7]}\#(taken)]}"#,
      to: "equaliser.json")
    let saved = SavedEQs(in: folder.state)
    _ = try saved.apply(.rename("a", to: "b"))
    let presets = try #require(try json("equaliser.json")["presets"]?.elements)
    #expect(presets == [["name": "b", "bands": [1], "q": [.number(0.7)]]])
    _ = try saved.apply(.rename("nobody", to: "b"))
    #expect(try json("equaliser.json")["presets"]?.elements == presets)
  }

  @Test func `bonds that could not be read are read again, though the file looks the same`()
    async throws
  {
    let file = folder.state.file("bonds.json")
    let whole = #"{"version":1,"bonds":[]}"#
    try write("?" + whole.dropFirst(), to: "bonds.json")
    var before = stat()
    #expect(stat(file.path, &before) == 0)
    let bonds = BondFile(in: folder.state)
    _ = await bonds.bonds()
    #expect(bonds.failure != nil)
    // As after `chmod`: the same inode, length and time.
    let descriptor = open(file.path, O_WRONLY)
    #expect(
      whole.utf8.withContiguousStorageIfAvailable {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      } == whole.utf8.count)
    close(descriptor)
    var times = [before.st_atim, before.st_mtim]
    #expect(utimensat(AT_FDCWD, file.path, &times, 0) == 0)
    _ = await bonds.bonds()
    #expect(bonds.failure == nil)
  }
}
