import BluetoothCodec
import Testing

@Suite struct BondTests {
  /// Core 5.4, Vol 3, Part H, Appendix D.7, in the kernel's byte order.
  private let identityKey = SecretKey(
    Bytes([UInt8](hex("EC0234A357C8AD05341010A60A397D9B")).reversed()))
  private let adapter = BluetoothAddress(value: 0x001A_7DDA_7113)
  private let bud = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random)

  @Test func `the specification's private address is resolved`() throws {
    let key = try #require(identityKey)
    let address = BluetoothAddress(value: 0x7081_940D_FBAA)
    #expect(key.resolves(PeerAddress(address, .random)))
    #expect(!key.resolves(PeerAddress(address, .public)))
    #expect(!key.resolves(PeerAddress(BluetoothAddress(value: 0x7081_940D_FBAB), .random)))
  }

  @Test func `an address that a bond resolves stands for its identity`() throws {
    var bond = Bond(adapter: adapter, identity: bud)
    bond.identityResolvingKey = identityKey
    let today = PeerAddress(BluetoothAddress(value: 0x7081_940D_FBAA), .random)
    let unknownDevice = PeerAddress(BluetoothAddress(value: 0x7081_940D_FB00), .random)
    #expect([bond].identity(of: today) == bud)
    #expect([bond].identity(of: unknownDevice) == unknownDevice)
    #expect([bond].identity(of: bud) == bud)
    #expect([Bond]().identity(of: today) == today)
  }

  private func longTermKey(
    _ kind: LongTermKey.Kind, central: UInt8, random: UInt64 = 0
  ) throws -> LongTermKey {
    LongTermKey(
      peer: ManagementPeer(bud), kind: kind, central: central, encryptionSize: 16,
      encryptedDiversifier: 0, random: random, key: try #require(someKey))
  }

  @Test func `legacy pairing has a key for each direction`() throws {
    let mine = try longTermKey(.unauthenticatedLegacy, central: 0)
    let theirs = try longTermKey(.unauthenticatedLegacy, central: 1)
    var bond = Bond(adapter: adapter, identity: bud)
    bond.add(.longTerm(mine))
    bond.add(.longTerm(theirs))
    #expect(bond.longTermKeys == [mine, theirs])
    #expect(!bond.isAuthenticated)
    let again = try longTermKey(.authenticatedLegacy, central: 1, random: 7)
    bond.add(.longTerm(again))
    #expect(bond.longTermKeys == [mine, again])
    #expect(bond.isAuthenticated)
  }

  @Test func `a key of secure connections succeeds all others`() throws {
    var bond = Bond(adapter: adapter, identity: bud)
    bond.add(.longTerm(try longTermKey(.unauthenticatedLegacy, central: 0)))
    bond.add(.longTerm(try longTermKey(.unauthenticatedLegacy, central: 1)))
    let key = try longTermKey(.authenticatedP256, central: 0)
    bond.add(.longTerm(key))
    #expect(bond.longTermKeys == [key])
    let legacy = try longTermKey(.unauthenticatedLegacy, central: 1)
    bond.add(.longTerm(legacy))
    #expect(bond.longTermKeys == [legacy])
  }

  @Test func `a key says whose it is`() throws {
    let key = try #require(someKey)
    #expect(BondKey.longTerm(try longTermKey(.debugP256, central: 0)).identity == bud)
    #expect(
      BondKey.identityResolving(IdentityResolvingKey(peer: ManagementPeer(bud), key: key))
        .identity == bud)
    #expect(
      BondKey.link(LinkKey(peer: .speaker, kind: 5, key: key, pinLength: 0)).identity
        == PeerAddress(ManagementPeer.speaker.address, .public))
  }
}
