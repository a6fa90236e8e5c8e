public import BluetoothCodec

/// A kind of headphone with the built-in protocol: ``earshot``, or a profile of the configuration.
public struct DeviceProfile: Hashable, Sendable {
  /// The name, such as "Earshot protocol".
  public var name: String
  /// The possible control services, one of which a headphone has.
  public var controlServices: [ControlService]
  public var battery: BatteryUUIDs
  public var information: InformationUUIDs
  public var features: Features
  public var events: EventLayout
  /// The centre frequency of each equaliser band in Hz, ascending, or none if unknown.
  public var eqCentres: [Int]

  public init(
    name: String, controlServices: [ControlService], battery: BatteryUUIDs = .standard,
    information: InformationUUIDs = .standard, features: Features = .all,
    events: EventLayout = .standard, eqCentres: [Int] = []
  ) {
    self.name = name
    self.controlServices = controlServices
    self.battery = battery
    self.information = information
    self.features = features
    self.events = events
    self.eqCentres = eqCentres
  }

  /// The services to scan for, one of which a headphone advertises.
  public var advertisedServices: Set<BluetoothUUID> { Set(controlServices.map(\.service)) }
}

extension BluetoothUUID {
  /// A placeholder for a missing characteristic, which no attribute has.
  public static let absent = BluetoothUUID(high: 0, low: 0)
}

/// The UUIDs of the control service and its characteristics (docs/protocol.md section 3).
public struct ControlService: Hashable, Sendable {
  public var service: BluetoothUUID
  /// The ANC mode, FFF1; like other optional characteristics, `absent` if the headphone lacks it.
  public var ancMode: BluetoothUUID
  /// The EQ preset, FFF2.
  public var eqPreset: BluetoothUUID
  /// The command characteristic, FFF3, to which packets are written; required.
  public var command: BluetoothUUID
  /// The event characteristic, FFF4, which notifies events and packets; required.
  public var event: BluetoothUUID
  /// The firmware data characteristic, FFF5, written without response.
  public var firmwareData: BluetoothUUID

  public init(
    service: BluetoothUUID, ancMode: BluetoothUUID, eqPreset: BluetoothUUID,
    command: BluetoothUUID, event: BluetoothUUID, firmwareData: BluetoothUUID
  ) {
    self.service = service
    self.ancMode = ancMode
    self.eqPreset = eqPreset
    self.command = command
    self.event = event
    self.firmwareData = firmwareData
  }
}

/// The UUIDs of a Battery service.
public struct BatteryUUIDs: Hashable, Sendable {
  /// The service, 180F, of which there may be several.
  public var service: BluetoothUUID
  /// The Battery Level, 2A19: one byte, 0 to 100 %.
  public var level: BluetoothUUID
  /// The Characteristic Presentation Format, 2904, which distinguishes the parts.
  public var format: BluetoothUUID

  public static let standard = BatteryUUIDs(
    service: .bit16(0x180F), level: .bit16(0x2A19), format: .bit16(0x2904))
}

/// The UUIDs of the Device Information service.
public struct InformationUUIDs: Hashable, Sendable {
  public var service: BluetoothUUID
  /// Manufacturer Name String, 2A29.
  public var manufacturer: BluetoothUUID
  /// Model Number String, 2A24.
  public var model: BluetoothUUID
  /// Serial Number String, 2A25.
  public var serial: BluetoothUUID
  /// Firmware Revision String, 2A26.
  public var firmware: BluetoothUUID
  /// Hardware Revision String, 2A27.
  public var hardware: BluetoothUUID

  public static let standard = InformationUUIDs(
    service: .bit16(0x180A), manufacturer: .bit16(0x2A29), model: .bit16(0x2A24),
    serial: .bit16(0x2A25), firmware: .bit16(0x2A26), hardware: .bit16(0x2A27))
}
