public import BluetoothCodec
internal import BluetoothRadio

/// The attributes of a server in the order of their handles, built from service definitions.
///
/// Handles never change; changed services need ``GATTServer/replaceTable(_:changed:)``.
public struct AttributeTable: Hashable, Sendable {
  private(set) var attributes: [Attribute] = []
  private var indices: [UInt16: Int] = [:]

  /// Creates a table: assigns handles in order, and adds CCCDs.
  public init(_ services: [ServiceDefinition]) {
    var layout = TableLayout(services)
    attributes = layout.attributes()
    for (index, attribute) in attributes.enumerated() { indices[attribute.handle] = index }
  }

  public var hash: [UInt8] { databaseHash(of: attributes) }

  /// Returns the handles of all attributes of a type, in order.
  public func handles(of type: BluetoothUUID) -> [UInt16] {
    attributes.filter { $0.type == type }.map(\.handle)
  }

  /// Returns the first handle of an attribute of a type, or nil if there is none.
  public func handle(of type: BluetoothUUID) -> UInt16? {
    attributes.first { $0.type == type }?.handle
  }

  /// Returns the stored value at a handle, or nil if there is no such attribute.
  public func value(at handle: UInt16) -> [UInt8]? { self[handle]?.value }

  /// Changes a stored value without notifying it.
  public mutating func setValue(_ value: [UInt8], at handle: UInt16) {
    guard let index = indices[handle] else { return }
    attributes[index].value = value
  }

  /// Returns the type of the attribute at a handle, or nil if there is none.
  public func type(at handle: UInt16) -> BluetoothUUID? { self[handle]?.type }

  subscript(handle: UInt16) -> Attribute? {
    guard let index = indices[handle] else { return nil }
    var attribute = attributes[index]
    if attribute.type == .databaseHash { attribute.value = hash }
    return attribute
  }

  /// Returns the attributes of a range, in order; the value of Database Hash is not computed.
  func attributes(in range: ATTHandleRange) -> some Sequence<Attribute> {
    attributes.lazy.drop { $0.handle < range.start }.prefix { $0.handle <= range.end }
  }
}

/// One attribute of a server's table, whose value may belong to a client instead (CCCD, features).
struct Attribute: Hashable, Sendable {
  enum Role: Hashable, Sendable {
    case service
    case declaration
    case value
    /// A CCCD; `of` is the handle of the characteristic's value.
    case clientConfiguration(of: UInt16, CharacteristicProperties)
    case descriptor
  }

  var handle: UInt16
  var type: BluetoothUUID
  var role: Role
  var value: [UInt8]
  /// The last handle of the service if this attribute declares one, or else its own handle.
  var groupEnd: UInt16
  var properties: CharacteristicProperties = .read
  var accepts = AcceptedValues.upTo(0)
  var readSecurity = SecurityLevel.low
  var writeSecurity = SecurityLevel.low
}

/// Returns the Database Hash of a table, least significant byte first.
///
/// It is the AES-CMAC with a zero key over the table's structure (Core 5.4, Vol 3, Part G, 7.3).
func databaseHash(of attributes: [Attribute]) -> [UInt8] {
  let withValue: Set<BluetoothUUID> = [
    .primaryService, .secondaryService, .include, .characteristic, .extendedProperties,
  ]
  let withoutValue: Set<BluetoothUUID> = [
    .userDescription, .clientConfiguration, .serverConfiguration, .presentationFormat,
    .aggregateFormat,
  ]
  var message: [UInt8] = []
  for attribute in attributes {
    guard withValue.contains(attribute.type) || withoutValue.contains(attribute.type) else {
      continue
    }
    message.append(littleEndian: attribute.handle)
    message.append(attribute.type)
    if withValue.contains(attribute.type) { message += attribute.value }
  }
  return cmac(of: message, key: Array(repeating: 0, count: 16)).reversed()
}
