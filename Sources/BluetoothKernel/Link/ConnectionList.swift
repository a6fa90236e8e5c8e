internal import BluetoothCodec
package import BluetoothRadio
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// Returns all programs' links on an adapter such as "hci0" (HCIGETCONNLIST), at most 128.
///
/// - Throws: `RadioError.noAdapter` if there is no such adapter, or another error of the kernel.
package func connections(of adapter: String) throws(RadioError) -> [RadioLink] {
  guard adapter.hasPrefix("hci"), let index = UInt16(adapter.dropFirst(3)) else {
    throw .noAdapter
  }
  let operation = "list connections"
  let socket = try SocketDescriptor(
    type: Int32(SOCK_RAW.rawValue), protocol: BTPROTO_HCI, during: operation)
  // `hci_conn_list_req`: the adapter, the capacity, and then the links. An adapter has fewer than
  // 128: handles have 12 bits, and controllers support a few dozen links.
  let room: UInt16 = 128
  let head = MemoryLayout<hci_conn_list_req>.size
  var request = [UInt8](repeating: 0, count: head + Int(room) * RadioLink.size)
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
    return try RadioLink.decode(request[...])
  } catch {
    throw .system(errno: EBADMSG, during: operation)
  }
}

extension RadioLink {
  static let size = 16

  /// Decodes a `hci_conn_list_req`: the adapter (2), a count (2), and entries of 16 bytes.
  ///
  /// | offset | size | field of an entry |
  /// | --- | --- | --- |
  /// | 0 | 2 | connection handle |
  /// | 2 | 6 | address |
  /// | 8 | 1 | link type |
  /// | 9 | 1 | whether this host initiated it |
  /// | 10 | 2 | state |
  /// | 12 | 4 | link mode: bit 2 encrypted |
  static func decode(_ bytes: Bytes) throws(MalformedBytes) -> [RadioLink] {
    var reader = ByteReader(bytes, of: "connection list")
    _ = try reader.uint16()
    let count = try reader.uint16()
    var links: [RadioLink] = []
    for _ in 0..<count {
      var entry = try reader.section(size)
      links.append(try RadioLink(&entry))
    }
    return links
  }

  private init(_ reader: inout ByteReader) throws(MalformedBytes) {
    let handle = try reader.uint16()
    let address = try reader.address()
    let kind = Kind(number: try reader.uint8())
    _ = try reader.uint8()
    let state = State(number: try reader.uint16())
    let isEncrypted = try reader.uint32() & UInt32(HCI_LM_ENCRYPT) != 0
    self.init(kind: kind, address: address, state: state, handle: handle, isEncrypted: isEncrypted)
  }
}

extension RadioLink.Kind {
  /// Reads `SCO_LINK`, `ACL_LINK`, `ESCO_LINK`, `LE_LINK`; since Linux 6.0 `CIS_LINK`, `BIS_LINK`.
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

extension RadioLink.State {
  /// Reads `BT_CONNECTED`, `BT_CONNECT`, `BT_CONNECT2`, `BT_CONFIG`, `BT_DISCONN` or `BT_CLOSED`.
  fileprivate init(number: UInt16) {
    switch number {
    case 1: self = .connected
    case 5, 6, 7: self = .connecting
    case 8, 9: self = .disconnecting
    default: self = .other(number)
    }
  }
}
