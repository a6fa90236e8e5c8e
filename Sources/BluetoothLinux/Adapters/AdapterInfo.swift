internal import Bluetooth
public import BluetoothCodec
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// The kernel's information about an adapter, which every process may read (HCIGETDEVINFO).
public struct AdapterInfo: Hashable, Sendable {
  /// The index, *N* of "hci*N*".
  public var index: UInt16
  /// The name, for example "hci0".
  public var name: String
  /// The public address; zero for an adapter that has a random static address only.
  public var address: BluetoothAddress
  /// Whether it is switched on (HCI_UP).
  public var isPowered: Bool
  /// Whether its controller supports LE; `nil` if the kernel has not read that yet.
  public var hasLowEnergy: Bool?

  public init(
    index: UInt16, name: String, address: BluetoothAddress, isPowered: Bool,
    hasLowEnergy: Bool? = nil
  ) {
    self.index = index
    self.name = name
    self.address = address
    self.isPowered = isPowered
    self.hasLowEnergy = hasLowEnergy
  }

  /// All adapters in index order, perhaps none.
  ///
  /// - Throws: the kernel's error, `noAdapter` if it has no Bluetooth.
  static func all() throws(RadioError) -> [AdapterInfo] {
    let socket = try querySocket()
    return try indices(socket).compactMap { read($0, socket) }
  }

  /// Whether the adapter exists and is switched on at this moment.
  var isUp: Bool {
    guard let socket = try? Self.querySocket() else { return false }
    return Self.read(index, socket)?.isPowered ?? false
  }

  /// An unbound HCI socket, on which ioctls are made.
  private static func querySocket() throws(RadioError) -> SocketDescriptor {
    try SocketDescriptor(
      type: Int32(SOCK_RAW.rawValue), protocol: BTPROTO_HCI, during: "list adapters")
  }

  /// The indices of all adapters, sorted (HCIGETDEVLIST).
  private static func indices(_ socket: SocketDescriptor) throws(RadioError) -> [UInt16] {
    let capacity = Int(HCI_MAX_DEV)
    let entry = MemoryLayout<hci_dev_req>.stride
    // The count, then the entries from the next aligned offset.
    let head = MemoryLayout<hci_dev_req>.alignment
    var indices: [UInt16] = []
    let result = withUnsafeTemporaryAllocation(
      byteCount: head + capacity * entry, alignment: MemoryLayout<hci_dev_req>.alignment
    ) { request in
      request.initializeMemory(as: UInt8.self, repeating: 0)
      request.storeBytes(of: UInt16(capacity), as: UInt16.self)
      guard let room = request.baseAddress else {
        return SystemResult.failed(ENOMEM)
      }
      let result = systemCall { Int(ioctl(socket.number, CBluetooth_HCIGETDEVLIST, room)) }
      guard case .done = result else { return result }
      let count = min(Int(request.load(as: UInt16.self)), capacity)
      indices = (0..<count).map { position in
        request.load(fromByteOffset: head + position * entry, as: UInt16.self)
      }
      return result
    }
    if case .failed(let code) = result { throw RadioError(errno: code, during: "list adapters") }
    return indices.sorted()
  }

  /// The information about an adapter; `nil` if it was removed meanwhile, or is no primary
  /// controller.
  private static func read(_ index: UInt16, _ socket: SocketDescriptor) -> AdapterInfo? {
    var info = hci_dev_info()
    info.dev_id = index
    let result = systemCall { Int(ioctl(socket.number, CBluetooth_HCIGETDEVINFO, &info)) }
    guard case .done = result, info.type >> 4 & 0b11 == HCI_PRIMARY else { return nil }
    let address = withUnsafeBytes(of: info.bdaddr) { bytes in
      bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    return AdapterInfo(
      index: index, name: "hci\(index)", address: BluetoothAddress(value: address),
      isPowered: info.flags >> UInt32(HCI_UP) & 1 == 1,
      hasLowEnergy: withUnsafeBytes(of: info.features) { hasLowEnergy(features: Array($0)) })
  }

  /// The bit "LE Supported (Controller)" of LMP features (Core 5.4, Vol 2, Part C, 3.3).
  ///
  /// - Parameter features: page 0, 8 bytes.
  /// - Returns: `nil` for a page of zeros, which the kernel returns before it has read it.
  static func hasLowEnergy(features: [UInt8]) -> Bool? {
    guard features.count > 4, features.contains(where: { $0 != 0 }) else { return nil }
    return features[4] & 1 << 6 != 0
  }
}
