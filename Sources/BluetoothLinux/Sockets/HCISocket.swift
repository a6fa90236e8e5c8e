internal import Bluetooth
internal import BluetoothCodec
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// A raw HCI socket of one adapter, which sends commands and receives the packets that its filter
/// selects.
///
/// Every process may open one. Without CAP_NET_RAW the kernel passes only harmless commands (Read
/// RSSI, Read Local Supported Commands) and events (links that begin and end, Command Complete).
final class HCISocket: Sendable {
  /// The result of one receive call.
  enum Received {
    /// One whole packet.
    case packet(HCIPacket)
    /// A packet that cannot be decoded.
    case malformed(MalformedBytes)
    /// No packet is pending.
    case nothing
    /// The socket has ended: ENETDOWN, ENODEV or EPIPE after the adapter was removed.
    case ended(errno: Int32)
  }

  /// The size of the receive buffer in bytes; of longer packets only the beginning is used.
  private static let roomForPacket = 2048

  let descriptor: SocketDescriptor
  let adapter: AdapterInfo

  /// Opens a socket.
  ///
  /// - Parameters:
  ///   - adapter: the adapter.
  ///   - filter: HCI's own filter.
  ///   - passing: a finer filter; `nil` lets all packets of `filter` pass.
  ///   - operation: what the socket is for, for errors.
  /// - Throws: the kernel's error, for example if the adapter was removed.
  init(
    adapter: AdapterInfo, filter: HCIFilter, passing: PacketFilter? = nil,
    during operation: String
  ) throws(RadioError) {
    self.adapter = adapter
    descriptor = try SocketDescriptor(
      type: Int32(SOCK_RAW.rawValue), protocol: BTPROTO_HCI, during: operation)
    let result = descriptor.setOption(SOL_HCI, HCI_FILTER, to: filter.kernelForm)
    if case .failed(let code) = result { throw RadioError(errno: code, during: operation) }
    try passing?.attach(to: descriptor.number, during: operation)
    try descriptor.bind(toHCI: adapter.index, HCI_CHANNEL_RAW, during: operation)
  }

  /// Sends a command without blocking.
  ///
  /// - Throws: `notPermitted` without CAP_NET_RAW, or another error of the kernel.
  func send(_ command: HCICommand) throws(RadioError) {
    let packet = [HCIPacketType.command.rawValue] + command.encoded()
    let result = packet.withUnsafeBytes { bytes in
      systemCall { write(descriptor.number, bytes.baseAddress, bytes.count) }
    }
    switch result {
    case .done: return
    case .wouldBlock: throw .system(errno: EAGAIN, during: "\(command.opcode)")
    case .failed(let code):
      throw RadioError(errno: code, during: "\(command.opcode)", adapter: adapter.name)
    }
  }

  /// Receives the next pending packet.
  func receive() -> Received {
    withUnsafeTemporaryAllocation(byteCount: Self.roomForPacket, alignment: 1) { room in
      switch systemCall({ read(descriptor.number, room.baseAddress, room.count) }) {
      case .done(0): return .ended(errno: ENODEV)
      case .done(let count):
        do throws(MalformedBytes) {
          return .packet(try HCIPacket(decoding: Bytes(room[..<count])))
        } catch {
          return .malformed(error)
        }
      case .wouldBlock: return .nothing
      case .failed(let code): return .ended(errno: code)
      }
    }
  }
}

/// HCI's own packet filter: packet types and events.
struct HCIFilter: Hashable, Sendable {
  /// The packet types that pass.
  var types: Set<HCIPacketType>
  /// The codes of the events that pass; above 63 they share bits.
  var events: Set<UInt8>
  /// The opcode whose Command Complete and Command Status events pass; `nil` for all.
  var opcode: HCIOpcode?

  /// The kernel's `hci_filter`.
  fileprivate var kernelForm: hci_filter {
    let mask = events.reduce(UInt64(0)) { $0 | 1 << UInt64($1 & 63) }
    return hci_filter(
      type_mask: types.reduce(0) { $0 | 1 << UInt32($1.rawValue) },
      event_mask: (UInt32(truncatingIfNeeded: mask), UInt32(truncatingIfNeeded: mask >> 32)),
      opcode: opcode?.rawValue ?? 0)
  }
}
