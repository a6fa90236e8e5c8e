internal import Bluetooth
internal import BluetoothCodec
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// The kernel's management channel, of all adapters.
///
/// Every process may open it; without CAP_NET_ADMIN the kernel reports only that adapters came,
/// went, or
/// changed their settings, and refuses to change anything.
final class ManagementSocket: Sendable {
  enum Received {
    case packet(ManagementEventPacket)
    case malformed(MalformedBytes)
    case nothing
    case ended
  }

  /// The longest packet: header and 65,535 bytes, of which only events of a few hundred are wanted.
  private static let roomForPacket = 4096
  private static let operation = "open the management channel"

  let descriptor: SocketDescriptor

  init() throws(RadioError) {
    descriptor = try SocketDescriptor(
      type: Int32(SOCK_RAW.rawValue), protocol: BTPROTO_HCI, during: Self.operation)
    try descriptor.bind(
      to: sockaddr_hci(
        hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: UInt16(HCI_DEV_NONE),
        hci_channel: UInt16(HCI_CHANNEL_CONTROL)), during: Self.operation)
  }

  /// False if the kernel does not take it; its refusal comes as an event.
  @discardableResult
  func send(_ command: ManagementCommand, to adapter: AdapterInfo) -> Bool {
    let packet = ManagementCommandPacket(command, controller: adapter.index)
    guard let bytes = try? packet.encoded() else { return false }
    let result = bytes.withUnsafeBytes { bytes in
      systemCall { write(descriptor.number, bytes.baseAddress, bytes.count) }
    }
    return result == .done(bytes.count)
  }

  /// The next event that is there.
  func receive() -> Received {
    withUnsafeTemporaryAllocation(byteCount: Self.roomForPacket, alignment: 1) { room in
      switch systemCall({ read(descriptor.number, room.baseAddress, room.count) }) {
      case .done(0), .failed: return .ended
      case .done(let count):
        do throws(MalformedBytes) {
          return .packet(try ManagementEventPacket(decoding: Bytes(room[..<count])))
        } catch {
          return .malformed(error)
        }
      case .wouldBlock: return .nothing
      }
    }
  }
}
