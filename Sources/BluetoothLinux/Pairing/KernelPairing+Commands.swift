internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop
internal import GATT

extension KernelPairing {
  /// Pairs a BR/EDR device, which the kernel connects for it.
  ///
  /// Cancelling the task, and the end of the time, cancel it in the kernel, too.
  func pairAudio(
    _ address: BluetoothAddress, on adapter: AdapterInfo,
    for limit: Duration = .seconds(45), by clock: any Clock<Duration> = ContinuousClock()
  ) async throws(SecurityFailure) {
    let classic = PeerAddress(address, .classic)
    let peer = ManagementPeer(classic)
    await prepare(adapter, for: classic)
    try permit()
    _ = begin(classic)
    let capability = capability
    let status = await within(limit, by: clock) {
      await self.execute(.pairDevice(peer, capability), about: peer, on: adapter)
    }
    if status == nil || Task.isCancelled {
      _ = await Task { [self] in
        await execute(.cancelPairDevice(peer), about: peer, on: adapter)
      }.value
    }
    let failure: SecurityFailure? =
      if Task.isCancelled {
        .declined
      } else if let status {
        SecurityFailure(status)
      } else {
        .closed(BearerClosed(.connectTimeout))
      }
    defer { finish(classic) }
    if let failure { throw verdict(on: classic, after: failure) }
  }

  /// Drops a device's keys in the kernel and in the book; its links end.
  func unpair(
    _ identity: PeerAddress, on adapter: AdapterInfo
  ) async throws(SecurityFailure) {
    decider = rule()
    guard decider != .daemon else { throw .noAgent }
    // What is kept here goes whatever the kernel says: forgetting must not fail halfway.
    let audio = await bond(with: identity).compactMap(\.linkKey?.peer)
    await drop(identity)
    try permit()
    for peer in [ManagementPeer(identity)] + audio {
      let status = await execute(
        .unpairDevice(peer, disconnects: true), about: peer, on: adapter)
      if let failure = SecurityFailure(status) { throw failure }
    }
  }

  /// - Throws: who decides, where it is not this program.
  private func permit() throws(SecurityFailure) {
    switch decider {
    case .own: return
    case .daemon: throw .noAgent
    case .others: throw .notPermitted(capability: ProcessRights.Capability.netAdmin.name)
    }
  }
}
