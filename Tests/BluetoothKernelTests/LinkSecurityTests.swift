import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import CBluetooth
import EventLoop
import Locking
import TestSupport
import Testing

@testable import BluetoothKernel

/// Security without a Bluetooth socket; Tests/RealKernel tests pairing.
@Suite struct LinkSecurityTests {
  private let peer = PeerAddress(BluetoothAddress(value: 2), .random)
  private let pairing = KernelPairing(
    agent: PairingAgent(clock: ManualClock(), consentsUnattended: true), bonds: EmptyBondStore(),
    loop: .shared, rule: { .own }, open: { nil })

  @Test func `a socket that knows no security has the lowest`() throws {
    let (near, far) = try SocketBearer.pair(loop: .shared)
    #expect(near.withDescriptor(LinkSecurity.level) == .low)
    near.close(.user)
    far.close(.user)
  }

  @Test func `a socket that knows no security has no protection`() throws {
    let (near, far) = try SocketBearer.pair(loop: .shared)
    #expect(near.withDescriptor(LinkSecurity.protection) == .some(nil))
    near.close(.user)
    far.close(.user)
  }

  @Test(
    arguments: [
      (1, 0, LinkProtection(level: .low)), (2, 16, LinkProtection(level: .medium, keySize: 16)),
      (2, 7, LinkProtection(level: .medium, keySize: 7)), (4, 0, LinkProtection(level: .fips)),
      (0, 16, nil), (5, 16, nil),
    ] as [(UInt8, UInt8, LinkProtection?)])
  func `the kernel's option has the level, and the size of the key if there is one`(
    level: UInt8, size: UInt8, protection: LinkProtection?
  ) {
    #expect(LinkProtection(bt_security(level: level, key_size: size)) == protection)
  }

  @Test func `what the link has already is not asked for`() async throws {
    let (near, far) = try SocketBearer.pair(
      loop: .shared, hooks: LinkCallbacks(security: { _ in .medium }))
    try await LinkSecurity.raise(
      near, to: .medium, of: peer, through: pairing, clock: ManualClock())
    near.close(.user)
    far.close(.user)
  }

  @Test(arguments: [PairingAuthority.own, .others])
  func `with nobody to ask, a link without keys is left as it is`(
    authority: PairingAuthority
  ) async throws {
    let (near, far) = try SocketBearer.pair(loop: .shared)
    let unattended = KernelPairing(
      agent: PairingAgent(clock: ManualClock()), bonds: EmptyBondStore(), loop: .shared,
      rule: { authority }, open: { nil })
    await #expect(throws: SecurityFailure.unattended) {
      try await LinkSecurity.raise(
        near, to: .medium, of: peer, through: unattended, clock: ManualClock())
    }
    #expect(near.closed == nil)
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

  @Test func `a socket that can send again before pairing has ended is no end of it`() async throws
  {
    let level = Mutex(SecurityLevel.low)
    let (near, far) = try SocketBearer.pair(
      loop: .shared, hooks: LinkCallbacks(security: { _ in level.withLock(\.self) }))
    let clock = ManualClock()
    // A socket without Bluetooth can always send.
    async let ended: Void = LinkSecurity.secured(near, to: .medium, by: clock)
    await clock.pass(.milliseconds(50))
    await clock.sleepers(1)
    level.withLock { $0 = .medium }
    await clock.pass(.milliseconds(50))
    try await ended
    near.close(.user)
    far.close(.user)
  }

  @Test(arguments: [true, false])
  func `keys that arrive after the encryption are awaited, for a second`(areKeys: Bool)
    async throws
  {
    let (near, far) = try SocketBearer.pair(
      loop: .shared, hooks: LinkCallbacks(security: { _ in .medium }))
    let clock = ManualClock()
    let (progress, kernel) = AsyncStream.makeStream(of: KernelPairing.Progress.self)
    async let outcome = LinkSecurity.end(
      of: near, to: .medium, expectsKeys: true, progress, by: clock)
    await clock.sleepers(1, within: LinkSecurity.keyTimeout)
    if areKeys { kernel.yield(.bonded) } else { clock.jump(by: LinkSecurity.keyTimeout) }
    #expect(await outcome == .secured)
    near.close(.user)
    far.close(.user)
  }

  @Test func `a pairing that fails after the socket can send again has failed`() async throws {
    let (near, far) = try SocketBearer.pair(
      loop: .shared, hooks: LinkCallbacks(security: { _ in .medium }))
    let clock = ManualClock()
    let (progress, kernel) = AsyncStream.makeStream(of: KernelPairing.Progress.self)
    async let outcome = LinkSecurity.end(
      of: near, to: .medium, expectsKeys: true, progress, by: clock)
    await clock.sleepers(1, within: LinkSecurity.keyTimeout)
    kernel.yield(.failed(.refused))
    #expect(await outcome == .failed)
    near.close(.user)
    far.close(.user)
  }

  @Test func `a link that ends while its level is awaited ends the wait`() async throws {
    let (near, far) = try SocketBearer.pair(loop: .shared)
    let clock = ManualClock()
    let ended = Task { () -> Result<Void, BearerClosed> in
      do throws(BearerClosed) {
        return .success(try await LinkSecurity.secured(near, to: .medium, by: clock))
      } catch {
        return .failure(error)
      }
    }
    await clock.sleepers(1)
    near.close(.user)
    await clock.pass(.milliseconds(50))
    let result = await ended.value
    #expect(throws: BearerClosed(.user)) { try result.get() }
    far.close(.user)
  }
}
