public import BluetoothCodec
internal import CBluetooth
internal import Descriptors
public import GATT
internal import Glibc

/// A link that the kernel has on an adapter, whoever uses it.
///
/// It is the kernel's own view of whether a headphone's sound can flow, also where
/// the sound server says nothing.
public struct KernelLink: Hashable, Sendable {
  /// What a link carries.
  public enum Kind: Hashable, Sendable {
    /// BR/EDR: the link below A2DP, AVRCP and the control of calls.
    case acl
    /// The voice of a call.
    case sco, eSCO
    case le
    /// Isochronous: LE Audio.
    case isochronous
    /// As the kernel numbers it.
    case other(UInt8)
  }

  /// How far the link is.
  public enum State: Hashable, Sendable {
    case connected
    /// It is being made.
    case connecting
    /// It is being ended, or has ended.
    case disconnecting
    /// As the kernel numbers it.
    case other(UInt16)
  }

  public var kind: Kind
  public var address: BluetoothAddress
  public var state: State
  /// The controller's number of the link; of no meaning before it is connected.
  public var handle: UInt16
  public var isEncrypted: Bool

  public init(
    kind: Kind, address: BluetoothAddress, state: State, handle: UInt16, isEncrypted: Bool
  ) {
    self.kind = kind
    self.address = address
    self.state = state
    self.handle = handle
    self.isEncrypted = isEncrypted
  }
}

/// The kernel's links on an adapter ("hci0") at this moment; needs no privilege.
///
/// - Throws: `RadioError.noAdapter` if there is no such adapter.
public func connections(of adapter: String) throws(RadioError) -> [KernelLink] {
  guard adapter.hasPrefix("hci"), let index = UInt16(adapter.dropFirst(3)) else {
    throw .noAdapter
  }
  let operation = "list connections"
  let socket = try SocketDescriptor(
    type: Int32(SOCK_RAW.rawValue), protocol: BTPROTO_HCI, during: operation)
  // `hci_conn_list_req`: the adapter, the room for links, and then the links. An adapter has
  // fewer: their handles are given out from a dozen bits, and controllers know a few dozen.
  let room: UInt16 = 128
  let head = MemoryLayout<hci_conn_list_req>.size
  var request = [UInt8](repeating: 0, count: head + Int(room) * KernelLink.size)
  let result = request.withUnsafeMutableBytes { bytes in
    bytes.storeBytes(of: index, as: UInt16.self)
    bytes.storeBytes(of: room, toByteOffset: 2, as: UInt16.self)
    guard let start = bytes.baseAddress else { return SystemResult.failed(ENOMEM) }
    return systemCall { Int(ioctl(socket.number, CBluetooth_HCIGETCONNLIST, start)) }
  }
  if case .failed(let code) = result {
    throw RadioError(errno: code, during: operation, adapter: adapter)
  }
  do {
    return try KernelLink.decode(request[...])
  } catch {
    throw .system(errno: EBADMSG, during: operation)
  }
}

extension KernelLink {
  /// Bytes of `hci_conn_info`.
  static let size = 16

  /// The links in the kernel's answer, a `hci_conn_list_req`.
  static func decode(_ bytes: Bytes) throws(MalformedBytes) -> [KernelLink] {
    var reader = ByteReader(bytes, of: "connection list")
    _ = try reader.uint16()
    let count = try reader.uint16()
    var links: [KernelLink] = []
    for _ in 0..<count {
      var entry = try reader.section(size)
      links.append(try KernelLink(&entry))
    }
    return links
  }

  private init(_ reader: inout ByteReader) throws(MalformedBytes) {
    handle = try reader.uint16()
    address = try reader.address()
    kind = Kind(number: try reader.uint8())
    // Which side began it.
    _ = try reader.uint8()
    state = State(number: try reader.uint16())
    isEncrypted = try reader.uint32() & UInt32(HCI_LM_ENCRYPT) != 0
  }
}

extension KernelLink.Kind {
  /// `SCO_LINK`, `ACL_LINK`, `ESCO_LINK`, `LE_LINK`; `CIS_LINK` and `BIS_LINK` since Linux 6.0.
  fileprivate init(number: UInt8) {
    switch number {
    case 0x00: self = .sco
    case 0x01: self = .acl
    case 0x02: self = .eSCO
    case 0x80: self = .le
    case 0x82, 0x83: self = .isochronous
    default: self = .other(number)
    }
  }
}

extension KernelLink.State {
  /// `BT_CONNECTED`, `BT_CONNECT`, `BT_CONNECT2`, `BT_CONFIG`, `BT_DISCONN`, `BT_CLOSED`.
  fileprivate init(number: UInt16) {
    switch number {
    case 1: self = .connected
    case 5, 6, 7: self = .connecting
    case 8, 9: self = .disconnecting
    default: self = .other(number)
    }
  }
}
