public import BluetoothCodec

/// Attribute types that GATT itself defines (Core 5.4, Vol 3, Part G, 3.8).
extension BluetoothUUID {
  public static let primaryService = BluetoothUUID.bit16(0x2800)
  public static let secondaryService = BluetoothUUID.bit16(0x2801)
  public static let include = BluetoothUUID.bit16(0x2802)
  public static let characteristic = BluetoothUUID.bit16(0x2803)
  public static let extendedProperties = BluetoothUUID.bit16(0x2900)
  public static let userDescription = BluetoothUUID.bit16(0x2901)
  /// The CCCD: bit 0 notifications, bit 1 indications.
  public static let clientConfiguration = BluetoothUUID.bit16(0x2902)
  public static let serverConfiguration = BluetoothUUID.bit16(0x2903)
  public static let presentationFormat = BluetoothUUID.bit16(0x2904)
  public static let aggregateFormat = BluetoothUUID.bit16(0x2905)

  public static let gapService = BluetoothUUID.bit16(0x1800)
  public static let deviceName = BluetoothUUID.bit16(0x2A00)
  public static let appearance = BluetoothUUID.bit16(0x2A01)
  public static let gattService = BluetoothUUID.bit16(0x1801)
  public static let serviceChanged = BluetoothUUID.bit16(0x2A05)
  public static let clientSupportedFeatures = BluetoothUUID.bit16(0x2B29)
  public static let databaseHash = BluetoothUUID.bit16(0x2B2A)
  public static let serverSupportedFeatures = BluetoothUUID.bit16(0x2B3A)
}
