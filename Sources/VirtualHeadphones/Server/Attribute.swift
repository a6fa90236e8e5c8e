internal import Bluetooth
internal import BluetoothCodec
internal import GATT

/// One row of a server's table.
///
/// Values that belong to a client (CCCD, Client Supported Features) are kept by the server, not
/// here.
struct Attribute: Hashable, Sendable {
  /// What the attribute is for.
  enum Role: Hashable, Sendable {
    case service
    case declaration
    case value
    /// `of`: the handle of the characteristic's value.
    case clientConfiguration(of: UInt16, CharacteristicProperties)
    case descriptor
  }

  var handle: UInt16
  var type: BluetoothUUID
  var role: Role
  var value: [UInt8]
  /// The last handle of the service that this attribute declares; otherwise its own handle.
  var groupEnd: UInt16
  var properties: CharacteristicProperties = .read
  var accepts = AcceptedValues.upTo(0)
  var readSecurity = SecurityLevel.low
  var writeSecurity = SecurityLevel.low
}
