internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop
internal import Glibc

extension KernelPairing {
  /// Pairs a BR/EDR device and stores the keys; after `limit` or cancellation the kernel stops.
  func pairAudio(
    _ address: BluetoothAddress, on adapter: AdapterInfo,
    for limit: Duration = .seconds(45), by clock: any Clock<Duration> = ContinuousClock()
  ) async throws(SecurityFailure) {
    let classic = PeerAddress(address, .classic)
    let peer = ManagementPeer(classic)
    await prepare(adapter, for: classic)
    try permit()
    guard mayBegin else { throw .unattended }
    let progress = await begin(classic)
    let status = await within(limit, by: clock) {
      await self.execute(.pairDevice(peer, Self.capability), about: peer, on: adapter)
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

  func unpair(
    _ identity: PeerAddress, on adapter: AdapterInfo
  ) async throws(SecurityFailure) {
    guard await decide() != .daemon else { throw .noAgent }
    // Stored keys are removed whatever the kernel returns, as removal must not stop halfway.
    let audio = await bond(with: identity).compactMap(\.linkKey?.peer)
    await drop(identity)
    try permit()
    for peer in [ManagementPeer(identity)] + audio {
      let status = await execute(
        .unpairDevice(peer, disconnects: true), about: peer, on: adapter)
      if let failure = SecurityFailure(status) { throw failure }
    }
  }

  func setPower(_ isOn: Bool, of adapter: AdapterInfo) async throws(RadioError) {
    let status = await execute(.setPowered(isOn), on: adapter)
    switch status {
    case .success: return
    case .permissionDenied:
      throw .notPermitted(
        operation: "switching the adapter", capability: ProcessRights.Capability.netAdmin.name)
    case .rfkilled: throw .blocked(adapter: adapter.name)
    case .invalidIndex: throw .noAdapter
    default: throw .system(errno: EIO, during: "switch the adapter (\(status))")
    }
  }

  /// Throws `noAgent` or `notPermitted` if another program decides about pairing.
  private func permit() throws(SecurityFailure) {
    switch decided ?? .others {
    case .own: return
    case .daemon: throw .noAgent
    case .others: throw .notPermitted(capability: ProcessRights.Capability.netAdmin.name)
    }
  }
}
