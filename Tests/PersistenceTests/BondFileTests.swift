import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Glibc
import TestSupport
import Testing

@testable import Persistence

@Suite struct BondBookTests {
  private let folder = TemporaryFolder()
  private let adapter = BluetoothAddress(value: 0x001A_7DDA_7113)
  private let key = SecretKey(Bytes(0..<16))

  private var keys: [BondKey] {
    get throws {
      let key = try #require(key)
      let peer = ManagementPeer(earPeer)
      return [
        .identityResolving(IdentityResolvingKey(peer: peer, key: key)),
        .longTerm(
          LongTermKey(
            peer: peer, kind: .authenticatedP256, central: 0, encryptionSize: 16,
            encryptedDiversifier: 0xFFFF, random: .max, key: key)),
        .link(
          LinkKey(
            peer: ManagementPeer(earPeer.address, .brEdr), kind: 8, key: key, pinLength: 0)),
      ]
    }
  }

  @Test func `bonds are there in the next run, whole`() async throws {
    let bondFile = BondFile(in: folder.state)
    for key in try keys { bondFile.keep(key, of: adapter) }
    await bondFile.flush()
    let again = BondFile(in: folder.state)
    #expect(await again.bonds() == bondFile.bonds())
    #expect(again.cachedBonds.count == 2)
    #expect(again.isBonded(earPeer))
    let bond = try #require(again.cachedBonds.first)
    #expect(bond.identityResolvingKey == key)
    #expect(bond.longTermKeys.count == 1)
    #expect(again.failure == nil)
  }

  @Test func `the file is for its owner alone`() async throws {
    let bondFile = BondFile(in: folder.state)
    bondFile.keep(try keys[1], of: adapter)
    await bondFile.flush()
    var status = stat()
    #expect(stat(folder.state.file("bonds.json").path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a dropped bond is gone from the file, too`() async throws {
    let bondFile = BondFile(in: folder.state)
    for key in try keys { bondFile.keep(key, of: adapter) }
    await bondFile.flush()
    await bondFile.drop(earPeer)
    #expect(!bondFile.isBonded(earPeer))
    let again = BondFile(in: folder.state)
    _ = await again.bonds()
    #expect(!again.isBonded(earPeer))
  }

  @Test func `keys that a power failure left in a temporary file go with the next change`()
    async throws
  {
    let left = folder.state.file("bonds.json.new-1abc")
    try left.replace(with: Array("keys".utf8))
    let other = folder.state.file("bonds.json.mine")
    try other.replace(with: Array("mine".utf8))
    let bondFile = BondFile(in: folder.state)
    await bondFile.drop(earPeer)
    #expect(try left.read() == nil)
    #expect(try other.read() != nil)
  }

  @Test func `two programs do not lose each other's bonds`() async throws {
    let one = BondFile(in: folder.state)
    let other = BondFile(in: folder.state)
    #expect(await other.bonds() == [])
    one.keep(try keys[1], of: adapter)
    await one.flush()
    other.keep(try keys[1], of: BluetoothAddress(value: 2))
    await other.flush()
    #expect(await BondFile(in: folder.state).bonds().count == 2)
  }

  @Test(arguments: [
    "", "[]", "{\"version\":2,\"bonds\":[]}", "{\"version\":1}",
  ])
  func `a file that makes no sense is left as it is`(text: String) async throws {
    let file = folder.state.file("bonds.json")
    try file.replace(with: Array(text.utf8))
    let bondFile = BondFile(in: folder.state)
    bondFile.keep(try keys[1], of: adapter)
    await bondFile.flush()
    #expect(bondFile.isBonded(earPeer), "for as long as the program runs")
    #expect(bondFile.failure != nil)
    #expect(try file.read() == Array(text.utf8))
  }

  @Test(arguments: [
    #"{"adapter":"00:1A:7D:DA:71:13"}"#,
    #"{"adapter":"00:1A:7D:DA:71:13","address":"F0:F1:F2:F3:F4:F5","addressType":"odd","longTermKeys":[]}"#,
    #"{"adapter":"00:1A:7D:DA:71:13","address":"40:F1:F2:F3:F4:F5","addressType":"random","longTermKeys":[]}"#,
    #"{"adapter":"00:1A:7D:DA:71:13","address":"F0:F1:F2:F3:F4:F5","addressType":"random","longTermKeys":[],"identityResolvingKey":"12"}"#,
    #"{"adapter":"00:1A:7D:DA:71:13","address":"F0:F1:F2:F3:F4:F5","addressType":"random","longTermKeys":[{"kind":2,"central":0,"encryptionSize":99,"encryptedDiversifier":0,"random":"0","key":"000102030405060708090a0b0c0d0e0f"}]}"#,
  ])
  func `half a bond is none`(bond: String) async throws {
    try folder.state.file("bonds.json").replace(
      with: Array(#"{"version":1,"bonds":[\#(bond)]}"#.utf8))
    let bondFile = BondFile(in: folder.state)
    #expect(await bondFile.bonds() == [])
    #expect(bondFile.failure == nil)
  }

  @Test func `changes are reported`() async throws {
    let bondFile = BondFile()
    var changes = bondFile.changes().makeAsyncIterator()
    bondFile.keep(try keys[1], of: adapter)
    await bondFile.flush()
    #expect(await changes.next() != nil)
    #expect(bondFile.isBonded(earPeer))
  }

  @Test func `bonds of another process are read when they are asked for`() async throws {
    let own = BondFile(in: folder.state)
    let other = BondFile(in: folder.state)
    #expect(await own.bonds() == [])
    for key in try keys { other.keep(key, of: adapter) }
    await other.flush()
    #expect(await own.bonds().count == 2)
    #expect(own.isBonded(earPeer))
    await other.drop(earPeer)
    #expect(await own.bonds().count == 1)
  }

  @Test func `bonds of another process arrive without a question while changes are followed`()
    async throws
  {
    let own = BondFile(in: folder.state)
    let other = BondFile(in: folder.state)
    var changes = own.changes().makeAsyncIterator()
    other.keep(try keys[1], of: adapter)
    while !own.isBonded(earPeer) { _ = await changes.next() }
  }

  @Test func `a key made while the file is locked is saved with the next change`() async throws {
    let bondFile = BondFile(in: folder.state)
    let path = folder.state.file("bonds.json").path
    var stopped: FileLock? = try FileLock(PrivateFile(path: path + ".lock"))
    #expect(try stopped?.acquire() == true)
    bondFile.keep(try keys[1], of: adapter)
    await bondFile.flush()
    #expect(bondFile.failure == .locked(path: path))
    #expect(bondFile.isBonded(earPeer))
    stopped = nil
    bondFile.keep(try keys[2], of: adapter)
    await bondFile.flush()
    #expect(bondFile.failure == nil)
    let again = BondFile(in: folder.state)
    #expect(await again.bonds() == bondFile.cachedBonds)
    #expect(again.cachedBonds.count == 2)
  }
}
