public import BluetoothCodec
internal import GATT

/// A server's attributes in the order of their handles, built from service definitions.
///
/// Handles are assigned once; a changed set of services is another table, see
/// ``GATTServer/replaceTable(_:changed:)``.
public struct AttributeTable: Hashable, Sendable {
  private(set) var attributes: [Attribute] = []
  private var indices: [UInt16: Int] = [:]
  /// The Database Hash, least significant byte first as the characteristic carries it.
  public private(set) var hash: [UInt8] = []

  /// Assigns handles in order, adds CCCDs, and computes the Database Hash.
  public init(_ services: [ServiceDefinition]) {
    var layout = TableLayout(services)
    attributes = layout.attributes()
    for (index, attribute) in attributes.enumerated() { indices[attribute.handle] = index }
    hash = databaseHash(of: attributes)
    for handle in handles(of: .databaseHash) { setValue(hash, at: handle) }
  }

  /// The handles of all values of a type, in order.
  public func handles(of type: BluetoothUUID) -> [UInt16] {
    attributes.filter { $0.type == type }.map(\.handle)
  }

  /// The first handle of a value of this type.
  public func handle(of type: BluetoothUUID) -> UInt16? {
    attributes.first { $0.type == type }?.handle
  }

  /// The stored value; nil where there is no such attribute.
  public func value(at handle: UInt16) -> [UInt8]? { self[handle]?.value }

  /// Changes a stored value without a notification.
  public mutating func setValue(_ value: [UInt8], at handle: UInt16) {
    guard let index = indices[handle] else { return }
    attributes[index].value = value
  }

  /// The type of the attribute at a handle.
  public func type(at handle: UInt16) -> BluetoothUUID? { self[handle]?.type }

  subscript(handle: UInt16) -> Attribute? { indices[handle].map { attributes[$0] } }

  /// The attributes of a range, in order.
  func attributes(in range: ATTHandleRange) -> some Sequence<Attribute> {
    attributes.lazy.drop { $0.handle < range.start }.prefix { $0.handle <= range.end }
  }

  /// The CCCD of a value.
  func configuration(of handle: UInt16) -> Attribute? {
    attributes.first {
      if case .clientConfiguration(handle, _) = $0.role { true } else { false }
    }
  }
}
