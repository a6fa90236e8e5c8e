internal import BluetoothCodec
internal import Descriptors
internal import GATT

/// Says yes to the pairing that this program asked for, where nothing is to be compared.
///
/// The kernel asks its management clients before it pairs without a passkey ("Just Works"). Numbers
/// and passkeys are left to the one who has told the kernel that it can show them. Needs
/// CAP_NET_ADMIN; without it the kernel asks others only, such as bluetoothd.
struct PairingConsent: Sendable {
  private let adapter: AdapterInfo
  private let peer: PeerAddress
  private let loop: PollLoop
  private let socket: ManagementSocket?

  init(adapter: AdapterInfo, peer: PeerAddress, loop: PollLoop) {
    self.adapter = adapter
    self.peer = peer
    self.loop = loop
    socket = try? ManagementSocket()
  }

  /// True when pairing failed; false when nothing more can be known.
  func fails() async -> Bool {
    guard let socket else { return false }
    while true {
      switch socket.receive() {
      case .packet(let packet) where packet.controller == adapter.index:
        if answer(packet.event, socket) == .failed { return true }
      case .packet, .malformed: continue
      case .nothing:
        guard (try? await loop.readable(socket.descriptor.number)) != nil else { return false }
      case .ended: return false
      }
    }
  }

  private enum Progress { case goesOn, failed }

  private func answer(_ event: ManagementEvent, _ socket: ManagementSocket) -> Progress {
    switch event {
    case .userConfirmationRequest(let asked, _, isHint: true) where asked.address == peer.address:
      socket.send(.userConfirmationReply(asked), to: adapter)
      return .goesOn
    case .authenticationFailed(let failed, _) where failed.address == peer.address: return .failed
    default: return .goesOn
    }
  }
}
