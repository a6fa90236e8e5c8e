internal import Bluetooth
internal import BluetoothCodec
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// The kernel's management channel for all adapters.
///
/// Every process may open it. Without CAP_NET_ADMIN the kernel only reports that adapters were
/// added, removed or changed their settings, and rejects all changes.
final class ManagementSocket: Sendable {
  /// The result of one receive call.
  enum Received {
    /// An event, or the completion of a command.
    case packet(ManagementEventPacket)
    /// A packet that cannot be decoded; the socket can still be used.
    case malformed(MalformedBytes)
    /// There is nothing to read yet.
    case nothing
    /// The socket has failed.
    case ended
  }

  /// The size of the receive buffer in bytes; only events of a few hundred bytes are of interest.
  private static let roomForPacket = 4096
  private static let operation = "open the management channel"

  let descriptor: SocketDescriptor

  /// Opens the channel.
  ///
  /// - Throws: `noAdapter` if the kernel has no Bluetooth.
  init() throws(RadioError) {
    descriptor = try SocketDescriptor(
      type: Int32(SOCK_RAW.rawValue), protocol: BTPROTO_HCI, during: Self.operation)
    try descriptor.bind(
      toHCI: UInt16(HCI_DEV_NONE), HCI_CHANNEL_CONTROL, during: Self.operation)
  }

  /// Sends a command to an adapter.
  ///
  /// - Returns: false if the kernel did not accept it; a refusal arrives as an event instead.
  @discardableResult
  func send(_ command: ManagementCommand, to adapter: AdapterInfo) -> Bool {
    let packet = ManagementCommandPacket(command, controller: adapter.index)
    guard let bytes = try? packet.encoded() else { return false }
    let result = bytes.withUnsafeBytes { bytes in
      systemCall { write(descriptor.number, bytes.baseAddress, bytes.count) }
    }
    return result == .done(bytes.count)
  }

  /// Receives the next pending event.
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
