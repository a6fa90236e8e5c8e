import BluetoothCodec
import Descriptors
import GATT
import TestSupport
import Testing

@testable import BluetoothLinux

/// What can be told of security without a Bluetooth socket; the rig of Tests/RealKernel pairs.
@Suite struct LinkSecurityTests {
  private let consent = PairingConsent(
    adapter: AdapterInfo(
      index: 0, name: "hci0", address: BluetoothAddress(value: 1), isPowered: true),
    peer: PeerAddress(BluetoothAddress(value: 2), .random), loop: .shared)

  @Test func aSocketThatKnowsNoSecurityHasTheLowest() throws {
    let (near, far) = try DescriptorBearer.pair(loop: .shared)
    #expect(near.withDescriptor(LinkSecurity.level) == .low)
    near.close(.user)
    far.close(.user)
  }

  @Test func whatTheLinkHasAlreadyIsNotAskedFor() async throws {
    let (near, far) = try DescriptorBearer.pair(
      loop: .shared, hooks: BearerHooks(security: { _ in .medium }))
    try await LinkSecurity.raise(near, to: .medium, confirming: consent, clock: ManualClock())
    near.close(.user)
    far.close(.user)
  }

  @Test func raisingOnAClosedBearerTellsWhyItIsClosed() async throws {
    let (near, far) = try DescriptorBearer.pair(loop: .shared)
    near.close(.user)
    far.close(.user)
    await #expect(throws: SecurityFailure.closed(BearerClosed(.user))) {
      try await LinkSecurity.raise(near, to: .medium, confirming: consent, clock: ManualClock())
    }
  }
}
