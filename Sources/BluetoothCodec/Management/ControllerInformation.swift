/// The return parameters of Read Controller Information (BlueZ, doc/mgmt-protocol).
///
/// They have 280 bytes: the properties in order, with texts that end with a zero byte.
public struct ControllerInformation: Hashable, Sendable {
  /// The public address, or zero if the controller has none.
  public var address: BluetoothAddress
  /// The Core version (Assigned Numbers, 2.1): 6 is 4.0, 9 is 5.0, 13 is 5.4.
  public var bluetoothVersion: UInt8
  /// The company identifier of the controller's manufacturer.
  public var manufacturer: UInt16
  public var supported: ManagementSettings
  public var current: ManagementSettings
  /// The 24-bit class of device (Assigned Numbers, 2.8).
  public var classOfDevice: UInt32
  /// The name in UTF-8, at most 248 bytes.
  public var name: Bytes
  /// The short name in UTF-8, at most 10 bytes.
  public var shortName: Bytes

  private static let nameLength = 249
  private static let shortNameLength = 11

  public init(
    address: BluetoothAddress, bluetoothVersion: UInt8, manufacturer: UInt16,
    supported: ManagementSettings, current: ManagementSettings, classOfDevice: UInt32,
    name: Bytes, shortName: Bytes
  ) {
    self.address = address
    self.bluetoothVersion = bluetoothVersion
    self.manufacturer = manufacturer
    self.supported = supported
    self.current = current
    self.classOfDevice = classOfDevice
    self.name = name
    self.shortName = shortName
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    address = try reader.address()
    bluetoothVersion = try reader.uint8()
    manufacturer = try reader.uint16()
    supported = ManagementSettings(rawValue: try reader.uint32())
    current = ManagementSettings(rawValue: try reader.uint32())
    classOfDevice = try reader.uint24()
    name = try reader.zeroTerminated(in: Self.nameLength)
    shortName = try reader.zeroTerminated(in: Self.shortNameLength)
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(address)
    bytes.append(bluetoothVersion)
    bytes.append(littleEndian: manufacturer)
    bytes.append(littleEndian: supported.rawValue)
    bytes.append(littleEndian: current.rawValue)
    bytes += classOfDevice.littleEndianPrefix(3)
    bytes.append(name, zeroTerminatedIn: Self.nameLength)
    bytes.append(shortName, zeroTerminatedIn: Self.shortNameLength)
  }
}

extension ByteReader {
  fileprivate mutating func zeroTerminated(in count: Int) throws(MalformedBytes) -> Bytes {
    let start = offset
    let field = try read(count)
    guard let end = field.firstIndex(of: 0) else { throw malformed(.badLength(count), at: start) }
    return field[..<end]
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: Bytes, zeroTerminatedIn count: Int) {
    let text = text.prefix(count - 1)
    self += text
    self += repeatElement(0, count: count - text.count)
  }
}
