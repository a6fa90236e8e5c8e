internal import Bluetooth
internal import BluetoothCodec
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// A raw HCI socket of one adapter: commands go out, what its filter lets through comes in.
///
/// Anyone may open one; without CAP_NET_RAW the kernel passes only harmless commands (Read RSSI,
/// Read Local Supported Commands) and events (links that begin and end, Command Complete).
final class HCISocket: Sendable {
  enum Received {
    case packet(HCIPacket)
    case malformed(MalformedBytes)
    case nothing
    /// Nothing will come any more: ENETDOWN, ENODEV or EPIPE when the adapter is gone.
    case ended(errno: Int32)
  }

  /// The longest packet: type, header and an ACL payload, of which only the beginning is wanted.
  private static let roomForPacket = 2048

  let descriptor: SocketDescriptor
  let adapter: AdapterInfo

  /// - Parameter passing: what of it the kernel is to hand over; nil: all.
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
    try descriptor.bind(
      to: sockaddr_hci(
        hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: adapter.index,
        hci_channel: UInt16(HCI_CHANNEL_RAW)), during: operation)
  }

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

  /// The next packet that is there.
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

/// What a raw HCI socket lets through.
struct HCIFilter: Hashable, Sendable {
  var types: Set<HCIPacketType>
  var events: Set<UInt8>
  /// Only this command's Command Complete and Command Status events; nil: those of all.
  var opcode: HCIOpcode?

  static let connectionComplete: UInt8 = 0x03
  static let disconnectionComplete: UInt8 = 0x05
  static let encryptionChange: UInt8 = 0x08
  static let commandComplete: UInt8 = 0x0E
  static let commandStatus: UInt8 = 0x0F
  static let synchronousConnectionComplete: UInt8 = 0x2C
  static let leMeta: UInt8 = 0x3E

  fileprivate var kernelForm: hci_filter {
    let mask = events.reduce(UInt64(0)) { $0 | 1 << UInt64($1 & 63) }
    return hci_filter(
      type_mask: types.reduce(0) { $0 | 1 << UInt32($1.rawValue) },
      event_mask: (UInt32(truncatingIfNeeded: mask), UInt32(truncatingIfNeeded: mask >> 32)),
      opcode: opcode?.rawValue ?? 0)
  }
}
