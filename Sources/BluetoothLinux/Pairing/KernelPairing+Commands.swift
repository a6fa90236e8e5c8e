internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop
internal import Glibc

extension KernelPairing {
  /// Pairs a BR/EDR device, to which the kernel connects, and stores the keys.
  ///
  /// After the time limit, or if the task is cancelled, the pairing is cancelled in the kernel,
  /// too.
  ///
  /// - Parameters:
  ///   - address: the public address of the device.
  ///   - adapter: the adapter that pairs.
  ///   - limit: the time for the pairing.
  ///   - clock: measures the time.
  /// - Throws: the reason why it is not paired.
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

  /// Removes a device's keys from storage and from the kernel, and ends its links.
  ///
  /// - Throws: `noAgent` if bluetoothd owns the keys, or the reason why the kernel keeps them.
  func unpair(
    _ identity: PeerAddress, on adapter: AdapterInfo
  ) async throws(SecurityFailure) {
    guard await decide() != .daemon else { throw .noAgent }
    // Stored keys are removed whatever the kernel returns: removal must not stop halfway.
    let audio = await bond(with: identity).compactMap(\.linkKey?.peer)
    await drop(identity)
    try permit()
    for peer in [ManagementPeer(identity)] + audio {
      let status = await execute(
        .unpairDevice(peer, disconnects: true), about: peer, on: adapter)
      if let failure = SecurityFailure(status) { throw failure }
    }
  }

  /// Switches an adapter on or off; it is prepared for pairing again with the next link.
  ///
  /// - Throws: `notPermitted` without CAP_NET_ADMIN, `blocked` by a radio switch, `noAdapter` if it
  ///   was removed.
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

  /// Permits a change of the kernel's keys.
  ///
  /// - Throws: `noAgent` or `notPermitted` if another program decides about pairing.
  private func permit() throws(SecurityFailure) {
    switch decided ?? .others {
    case .own: return
    case .daemon: throw .noAgent
    case .others: throw .notPermitted(capability: ProcessRights.Capability.netAdmin.name)
    }
  }
}
