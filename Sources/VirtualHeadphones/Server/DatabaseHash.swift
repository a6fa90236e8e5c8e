internal import BluetoothCodec
internal import GATT

/// The Database Hash of a table: AES-CMAC with a key of zeros over its structure
/// (Core 5.4, Vol 3, Part G, 7.3).
///
/// - Returns: 16 bytes, least significant first.
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
