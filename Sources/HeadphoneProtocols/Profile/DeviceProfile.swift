public import BluetoothCodec

/// What a kind of headphone looks like from the air, as data: UUIDs, names, features.
///
/// ``earshot`` is docs/protocol.md.
public struct DeviceProfile: Hashable, Sendable {
  /// "Earshot protocol".
  public var name: String
  /// The forms that the control service may have; a headphone has one of them.
  public var controlServices: [ControlService]
  /// Where the charge of each part is read.
  public var battery: BatteryUUIDs
  /// Where the maker's texts are read.
  public var information: InformationUUIDs
  /// What a headphone of this profile has at most.
  public var features: Features
  /// How the events of this profile are laid out in their values.
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
  /// Advertised, too: by it the headphone is found.
  public var service: BluetoothUUID
  /// FFF1; `absent` where there is none, as for the others.
  public var ancMode: BluetoothUUID
  /// FFF2.
  public var eqPreset: BluetoothUUID
  /// FFF3, which takes packets.
  public var command: BluetoothUUID
  /// FFF4, which notifies events and packets; without it there is no headphone.
  public var event: BluetoothUUID
  /// FFF5, which takes firmware without responses.
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
  /// 180F, of which there may be several.
  public var service: BluetoothUUID
  /// 2A19: one byte, 0 to 100 %.
  public var level: BluetoothUUID
  /// Characteristic Presentation Format, which distinguishes the parts.
  public var format: BluetoothUUID

  public init(service: BluetoothUUID, level: BluetoothUUID, format: BluetoothUUID) {
    self.service = service
    self.level = level
    self.format = format
  }

  /// Those of the Bluetooth SIG.
  public static let standard = BatteryUUIDs(
    service: .bit16(0x180F), level: .bit16(0x2A19), format: .bit16(0x2904))
}

/// The UUIDs of the Device Information service.
public struct InformationUUIDs: Hashable, Sendable {
  /// 180A.
  public var service: BluetoothUUID
  /// 2A29, UTF-8 as the four that follow.
  public var manufacturer: BluetoothUUID
  /// 2A24.
  public var model: BluetoothUUID
  /// 2A25.
  public var serial: BluetoothUUID
  /// 2A26.
  public var firmware: BluetoothUUID
  /// 2A27.
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

  /// Those of the Bluetooth SIG.
  public static let standard = InformationUUIDs(
    service: .bit16(0x180A), manufacturer: .bit16(0x2A29), model: .bit16(0x2A24),
    serial: .bit16(0x2A25), firmware: .bit16(0x2A26), hardware: .bit16(0x2A27))
}
