public import BluetoothCodec
internal import GATT

/// What any headphone may have by the services of the Bluetooth SIG.
struct StandardServices: Hashable, Sendable {
  /// Levels in the order of their services.
  var batteries: [Characteristic] = []
  /// Battery Level Status (2BED), by its level's handle.
  var statuses: [UInt16: Characteristic] = [:]
  /// Device information, by its type.
  var information: [BluetoothUUID: Characteristic] = [:]
  /// Alert Level of the Immediate Alert service: the headphone makes itself heard.
  var alert: Characteristic?
  /// Model ID of Google's Fast Pair service, which anybody may read.
  var fastPairModel: Characteristic?

  init(_ database: Database) {
    for service in database.services(BatteryUUIDs.standard.service) {
      guard let level = service.characteristic(BatteryUUIDs.standard.level) else { continue }
      batteries.append(level)
      statuses[level.handle] = service.characteristic(.batteryLevelStatus)
    }
    for service in database.services(InformationUUIDs.standard.service) {
      for characteristic in service.characteristics where characteristic.canRead {
        information[characteristic.uuid] = characteristic
      }
    }
    alert = database.service(.immediateAlert)?.characteristic(.alertLevel)
    fastPairModel = database.service(.fastPair)?.characteristic(.fastPairModel)
  }

  /// Whether there is anything to show.
  var isEmpty: Bool {
    batteries.isEmpty && information.isEmpty && alert == nil && fastPairModel == nil
  }
}

extension BluetoothUUID {
  static let batteryLevelStatus = BluetoothUUID.bit16(0x2BED)
  static let immediateAlert = BluetoothUUID.bit16(0x1802)
  static let alertLevel = BluetoothUUID.bit16(0x2A06)
  public static let fastPair = BluetoothUUID.bit16(0xFE2C)
  static let fastPairModel = BluetoothUUID(
    high: 0xFE2C_1233_8366_4814, low: 0x8EB0_01DE_3210_0BEA)
}
