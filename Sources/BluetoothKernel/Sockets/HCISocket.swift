internal import BluetoothCodec
internal import BluetoothRadio
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// A raw HCI socket of one adapter.
///
/// Every process may open one. Without CAP_NET_RAW the kernel passes only harmless commands (Read
/// RSSI, Read Local Supported Commands) and events (links that begin and end, Command Complete).
final class HCISocket: Sendable {
  enum Received {
    case packet(HCIPacket)
    case malformed(MalformedBytes)
    case nothing
    /// The socket has failed, for example with ENETDOWN or ENODEV after the adapter's removal.
    case ended(errno: Int32)
  }

  /// The size of the receive buffer in bytes; longer packets are truncated.
  private static let roomForPacket = 2048

  let descriptor: SocketDescriptor
  let adapter: AdapterInfo

  /// Opens a socket with the kernel's HCI filter and, if needed, a finer filter `passing`.
  init(
    adapter: AdapterInfo, filter: HCIFilter, passing: PacketFilter? = nil,
    during operation: String
  ) throws(RadioError) {
    self.adapter = adapter
    descriptor = try SocketDescriptor(adapter: adapter.index, during: operation)
    try passing?.attach(to: descriptor.number, during: operation)
    let result = descriptor.setOption(SOL_HCI, HCI_FILTER, to: filter.kernelForm)
    if case .failed(let code) = result { throw RadioError(errno: code, during: operation) }
  }

  func send(_ command: HCICommand) throws(RadioError) {
    let opcode = command.opcode
    var parameters = Array(command.encoded().dropFirst(3))
    let length = UInt8(truncatingIfNeeded: parameters.count)
    // While the socket has no room, libbluetooth would retry without a pause.
    var room = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
    guard poll(&room, 1, 0) > 0 else { throw .system(errno: EAGAIN, during: "\(opcode)") }
    let result = systemCall {
      Int(
        hci_send_cmd(
          descriptor.number, UInt16(opcode.group), opcode.command, length, &parameters))
    }
    if case .failed(let code) = result {
      throw RadioError(errno: code, during: "\(opcode)", adapter: adapter.name)
    }
  }

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

struct HCIFilter: Hashable, Sendable {
  var types: Set<HCIPacketType>
  /// The codes of the events that pass; codes above 63 share the bits of lower ones.
  var events: Set<UInt8>
  /// The opcode whose Command Complete and Command Status events pass, or nil for all.
  var opcode: HCIOpcode?

  var kernelForm: hci_filter {
    var form = hci_filter()
    for type in types { hci_filter_set_ptype(Int32(type.rawValue), &form) }
    for event in events { hci_filter_set_event(Int32(event), &form) }
    if let opcode { hci_filter_set_opcode(Int32(opcode.rawValue), &form) }
    return form
  }
}
