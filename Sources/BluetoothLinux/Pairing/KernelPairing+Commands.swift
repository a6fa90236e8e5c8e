internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop

extension KernelPairing {
  /// Pairs a BR/EDR device, which the kernel connects for it, and stores the keys.
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
    let progress = await begin(classic)
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
    if let failure { throw await verdict(on: classic, after: failure) }
    await storeKeys(of: classic, progress, by: clock)
  }

  /// Removes a device's keys from storage and from the kernel; its links end.
  ///
  /// - Throws: why the kernel keeps them.
  func unpair(
    _ identity: PeerAddress, on adapter: AdapterInfo
  ) async throws(SecurityFailure) {
    guard await decide() != .daemon else { throw .noAgent }
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

  /// - Throws: `noAgent` or `notPermitted`, where this process is not the authority.
  private func permit() throws(SecurityFailure) {
    switch decided ?? .others {
    case .own: return
    case .daemon: throw .noAgent
    case .others: throw .notPermitted(capability: ProcessRights.Capability.netAdmin.name)
    }
  }
}
