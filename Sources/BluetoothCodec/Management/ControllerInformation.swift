/// The return parameters of Read Controller Information (BlueZ, doc/mgmt-protocol), 280 bytes.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 6 | address |
/// | 6 | 1 | Bluetooth version |
/// | 7 | 2 | manufacturer |
/// | 9 | 4 | supported settings |
/// | 13 | 4 | current settings |
/// | 17 | 3 | class of device |
/// | 20 | 249 | name, zero-terminated |
/// | 269 | 11 | short name, zero-terminated |
public struct ControllerInformation: Hashable, Sendable {
  /// The public address; zero if the controller has none.
  public var address: BluetoothAddress
  /// The Core version (Assigned Numbers, 2.1): 6 is 4.0, 9 is 5.0, 13 is 5.4.
  public var bluetoothVersion: UInt8
  /// The assigned company identifier of the controller's maker.
  public var manufacturer: UInt16
  /// The settings that the controller supports.
  public var supported: ManagementSettings
  /// The settings that are switched on.
  public var current: ManagementSettings
  /// The class of device, 24 bits (Assigned Numbers, 2.8).
  public var classOfDevice: UInt32
  /// The name in UTF-8, at most 248 bytes.
  public var name: Bytes
  /// The short name in UTF-8, at most 10 bytes.
  public var shortName: Bytes

  /// The size of the name's field in bytes, with the terminating zero.
  private static let nameLength = 249
  /// The size of the short name's field in bytes, with the terminating zero.
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
  /// Takes a field of `count` bytes, and returns those before its first zero.
  fileprivate mutating func zeroTerminated(in count: Int) throws(MalformedBytes) -> Bytes {
    let start = offset
    let field = try read(count)
    guard let end = field.firstIndex(of: 0) else { throw malformed(.badLength(count), at: start) }
    return field[..<end]
  }
}

extension [UInt8] {
  /// Appends a field of `count` bytes; a longer text is truncated so that its terminating zero
  /// fits.
  fileprivate mutating func append(_ text: Bytes, zeroTerminatedIn count: Int) {
    let text = text.prefix(count - 1)
    self += text
    self += repeatElement(0, count: count - text.count)
  }
}
