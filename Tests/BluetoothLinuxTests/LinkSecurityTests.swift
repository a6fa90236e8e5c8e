import Bluetooth
import BluetoothCodec
import EventLoop
import GATT
import TestSupport
import Testing

@testable import BluetoothLinux

/// What can be told of security without a Bluetooth socket; the rig of Tests/RealKernel pairs.
@Suite struct LinkSecurityTests {
  private let peer = PeerAddress(BluetoothAddress(value: 2), .random)
  private let pairing = KernelPairing(
    agent: PairingAgent(), bonds: EmptyBondStore(), loop: .shared, rule: { .own }, open: { nil })

  @Test func `a socket that knows no security has the lowest`() throws {
    let (near, far) = try SocketBearer.pair(loop: .shared)
    #expect(near.withDescriptor(LinkSecurity.level) == .low)
    near.close(.user)
    far.close(.user)
  }

  @Test func `what the link has already is not asked for`() async throws {
    let (near, far) = try SocketBearer.pair(
      loop: .shared, hooks: LinkCallbacks(security: { _ in .medium }))
    try await LinkSecurity.raise(
      near, to: .medium, of: peer, through: pairing, clock: ManualClock())
    near.close(.user)
    far.close(.user)
  }

  @Test func `raising on a closed bearer tells why it is closed`() async throws {
    let (near, far) = try SocketBearer.pair(loop: .shared)
    near.close(.user)
    far.close(.user)
    await #expect(throws: SecurityFailure.closed(BearerClosed(.user))) {
      try await LinkSecurity.raise(
        near, to: .medium, of: peer, through: pairing, clock: ManualClock())
    }
  }
}
