public import BluetoothCodec

/// What a kind of headphone looks like from the air, as data: UUIDs, names, features.
///
/// ``earshot`` is docs/protocol.md.
public struct DeviceProfile: Hashable, Sendable {
  /// "Earshot protocol".
  public var name: String
  /// The forms that the control service may have; a headphone has one of them.
  public var controlServices: [ControlService]
  public var battery: BatteryUUIDs
  public var information: InformationUUIDs
  /// What a headphone of this profile has at most.
  public var features: Features
  public var events: EventLayout
  /// The middle of each equaliser band in Hz, from low to high; empty: it is not known.
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

  /// What to scan for: a headphone advertises one of these.
  public var advertisedServices: Set<BluetoothUUID> { Set(controlServices.map(\.service)) }
}

extension BluetoothUUID {
  /// Stands for a characteristic that a kind of headphone lacks: no attribute has it.
  public static let absent = BluetoothUUID(high: 0, low: 0)
}

/// The UUIDs of the control service and its characteristics (docs/protocol.md section 3).
public struct ControlService: Hashable, Sendable {
  public var service: BluetoothUUID
  public var ancMode: BluetoothUUID
  public var eqPreset: BluetoothUUID
  public var command: BluetoothUUID
  public var event: BluetoothUUID
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
  public var service: BluetoothUUID
  public var level: BluetoothUUID
  /// Characteristic Presentation Format, which tells the parts apart.
  public var format: BluetoothUUID

  public init(service: BluetoothUUID, level: BluetoothUUID, format: BluetoothUUID) {
    self.service = service
    self.level = level
    self.format = format
  }

  public static let standard = BatteryUUIDs(
    service: .bit16(0x180F), level: .bit16(0x2A19), format: .bit16(0x2904))
}

/// The UUIDs of the Device Information service.
public struct InformationUUIDs: Hashable, Sendable {
  public var service: BluetoothUUID
  public var manufacturer: BluetoothUUID
  public var model: BluetoothUUID
  public var serial: BluetoothUUID
  public var firmware: BluetoothUUID
  public var hardware: BluetoothUUID

  public init(
    service: BluetoothUUID, manufacturer: BluetoothUUID, model: BluetoothUUID,
    serial: BluetoothUUID, firmware: BluetoothUUID, hardware: BluetoothUUID
  ) {
    self.service = service
    self.manufacturer = manufacturer
    self.model = model
    self.serial = serial
    self.firmware = firmware
    self.hardware = hardware
  }

  public static let standard = InformationUUIDs(
    service: .bit16(0x180A), manufacturer: .bit16(0x2A29), model: .bit16(0x2A24),
    serial: .bit16(0x2A25), firmware: .bit16(0x2A26), hardware: .bit16(0x2A27))
}
