import BluetoothCodec
import Testing

@testable import BluetoothKernel

@Suite struct BondDerivationTests {
  private let adapter = BluetoothAddress(value: 0x001A_7DDA_7113)
  private let bud = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .public)
  private let key = SecretKey(1, 2)

  private func longTermKey(_ kind: LongTermKey.Kind, size: UInt8) -> LongTermKey {
    LongTermKey(
      peer: ManagementPeer(bud), kind: kind, central: 0, encryptionSize: size,
      encryptedDiversifier: 0, random: 0, key: key)
  }

  @Test(
    arguments: [
      (LongTermKey.Kind.authenticatedP256, 16, LongTermKey.Kind.unauthenticatedP256, 16, false),
      (.authenticatedP256, 16, .authenticatedP256, 16, true),
      (.authenticatedLegacy, 16, .unauthenticatedP256, 16, false),
      (.unauthenticatedP256, 16, .unauthenticatedP256, 7, false),
      (.unauthenticatedP256, 16, .authenticatedP256, 16, true),
      (.unauthenticatedLegacy, 7, .unauthenticatedP256, 16, true),
    ] as [(LongTermKey.Kind, UInt8, LongTermKey.Kind, UInt8, Bool)])
  func `a derived key replaces none that is stronger`(
    kept: LongTermKey.Kind, keptSize: UInt8, new: LongTermKey.Kind, newSize: UInt8,
    isAccepted: Bool
  ) {
    var bond = Bond(adapter: adapter, identity: bud)
    let derived = BondKey.longTerm(longTermKey(new, size: newSize))
    #expect(bond.accepts(derived: derived), "there is none yet")
    bond.add(.longTerm(longTermKey(kept, size: keptSize)))
    #expect(bond.accepts(derived: derived) == isAccepted)
  }

  @Test(
    arguments: [(0x08, 0x07, false), (0x08, 0x08, true), (0x05, 0x07, false), (0x04, 0x07, true)]
      as [(UInt8, UInt8, Bool)])
  func `a derived link key replaces no authenticated one by one without`(
    kept: UInt8, new: UInt8, isAccepted: Bool
  ) {
    let peer = ManagementPeer(bud.address, .brEdr)
    var bond = Bond(adapter: adapter, identity: bud)
    bond.add(.link(LinkKey(peer: peer, kind: kept, key: key, pinLength: 0)))
    let derived = LinkKey(peer: peer, kind: new, key: key, pinLength: 0)
    #expect(bond.accepts(derived: .link(derived)) == isAccepted)
  }
}
