/// The attribute types of GATT (Core 5.4, Vol 3, Part G, 3.8).
extension BluetoothUUID {
  /// The declaration of a primary service; its value is the service's UUID.
  public static let primaryService = BluetoothUUID.bit16(0x2800)
  /// The declaration of a service that other services include.
  public static let secondaryService = BluetoothUUID.bit16(0x2801)
  /// The inclusion of a service: its range of handles, and its UUID if that has 16 bits.
  public static let include = BluetoothUUID.bit16(0x2802)
  /// The declaration of a characteristic: properties (1), value handle (2), UUID (2 or 16).
  public static let characteristic = BluetoothUUID.bit16(0x2803)
  /// Characteristic Extended Properties: more properties (2).
  public static let extendedProperties = BluetoothUUID.bit16(0x2900)
  /// Characteristic User Description: text in UTF-8.
  public static let userDescription = BluetoothUUID.bit16(0x2901)
  public static let clientConfiguration = BluetoothUUID.bit16(0x2902)
  public static let serverConfiguration = BluetoothUUID.bit16(0x2903)
  /// Characteristic Presentation Format: format, exponent, unit, namespace, description (7).
  public static let presentationFormat = BluetoothUUID.bit16(0x2904)
  public static let aggregateFormat = BluetoothUUID.bit16(0x2905)

  public static let gapService = BluetoothUUID.bit16(0x1800)
  public static let deviceName = BluetoothUUID.bit16(0x2A00)
  public static let appearance = BluetoothUUID.bit16(0x2A01)
  public static let gattService = BluetoothUUID.bit16(0x1801)
  /// Service Changed: the range of handles to discover again (4), indicated.
  public static let serviceChanged = BluetoothUUID.bit16(0x2A05)
  /// Client Supported Features: bits that the client writes, such as robust caching.
  public static let clientSupportedFeatures = BluetoothUUID.bit16(0x2B29)
  /// Database Hash: 16 bytes that change with the database.
  public static let databaseHash = BluetoothUUID.bit16(0x2B2A)
  /// Server Supported Features: bits such as Enhanced ATT.
  public static let serverSupportedFeatures = BluetoothUUID.bit16(0x2B3A)
}
