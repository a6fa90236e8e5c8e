internal import BluetoothCodec
internal import BluetoothRadio
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// The kernel's management channel for all adapters.
///
/// Every process may open it. Without CAP_NET_ADMIN the kernel only reports that adapters were
/// added, removed or reconfigured, and rejects all changes.
final class ManagementSocket: Sendable {
  enum Received {
    case packet(ManagementEventPacket)
    /// A packet that cannot be decoded; the socket can still be used.
    case malformed(MalformedBytes)
    case nothing
    case ended
  }

  /// The size of the receive buffer in bytes; the events of interest have a few hundred bytes.
  private static let roomForPacket = 4096
  private static let operation = "open the management channel"

  let descriptor: SocketDescriptor

  init() throws(RadioError) {
    descriptor = try SocketDescriptor(
      type: Int32(SOCK_RAW.rawValue), protocol: BTPROTO_HCI, during: Self.operation)
    try descriptor.bind(
      toHCI: UInt16(HCI_DEV_NONE), HCI_CHANNEL_CONTROL, during: Self.operation)
  }

  @discardableResult
  func send(_ command: ManagementCommand, to adapter: AdapterInfo) -> Bool {
    let packet = ManagementCommandPacket(command, controller: adapter.index)
    guard let bytes = try? packet.encoded() else { return false }
    let result = bytes.withUnsafeBytes { bytes in
      systemCall { write(descriptor.number, bytes.baseAddress, bytes.count) }
    }
    return result == .done(bytes.count)
  }

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
