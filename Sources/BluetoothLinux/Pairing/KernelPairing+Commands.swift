internal import BluetoothCodec
internal import GATT

extension KernelPairing {
  /// Pairs a BR/EDR device, which the kernel connects for it.
  func pairAudio(
    _ address: BluetoothAddress, on adapter: AdapterInfo
  ) async throws(SecurityFailure) {
    try permit()
    let peer = ManagementPeer(address, .brEdr)
    prepare(adapter, for: peer.named)
    _ = begin(peer.named)
    let status = await carryOut(.pairDevice(peer, capability), about: peer, on: adapter)
    if Task.isCancelled {
      _ = await Task { [self] in
        await carryOut(.cancelPairDevice(peer), about: peer, on: adapter)
      }.value
    }
    let failure = SecurityFailure(status)
    let verdict = failure == .refused ? verdict(on: peer.named) : failure
    finish(peer.named)
    if let verdict { throw verdict }
  }

  /// Drops a device's keys in the kernel and in the book; its links end.
  func unpair(
    _ identity: PeerAddress, on adapter: AdapterInfo
  ) async throws(SecurityFailure) {
    guard rule() != .daemon else { throw .noAgent }
    // What is kept here goes whatever the kernel says: forgetting must not fail halfway.
    let audio = bond(with: identity).compactMap(\.linkKey?.peer)
    drop(identity)
    try permit()
    for peer in [ManagementPeer(identity)] + audio {
      let status = await carryOut(
        .unpairDevice(peer, disconnects: true), about: peer, on: adapter)
      if let failure = SecurityFailure(status) { throw failure }
    }
  }

  /// - Throws: who decides, where it is not this program.
  private func permit() throws(SecurityFailure) {
    switch rule() {
    case .own: return
    case .daemon: throw .noAgent
    case .others: throw .notPermitted(capability: ProcessRights.Capability.netAdmin.name)
    }
  }
}
