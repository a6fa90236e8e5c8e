internal import BluetoothCodec
internal import GATT
internal import Headphones

/// Another maker's headphone: its services, its advertisement, and how it answers what is written.
///
/// Written from the published layouts, by who wrote the drivers: both may misread them in the same
/// way.
public enum VirtualFamily: Hashable, Sendable {
  case nothing(VirtualNothing)
  case soundcore(VirtualSoundcore)
  /// The standard services alone.
  case standard
  /// It tells this by advertising, and cannot be connected; manufacturer data without its company.
  case proximity([UInt8])

  /// What it notifies when these bytes are written.
  mutating func answer(_ value: Bytes) -> [[UInt8]] {
    switch self {
    case .nothing(var nothing):
      defer { self = .nothing(nothing) }
      return nothing.answer(value)
    case .soundcore(var soundcore):
      defer { self = .soundcore(soundcore) }
      return soundcore.answer(value)
    case .standard, .proximity: return []
    }
  }

  /// The characteristic that answers; nil: there is none.
  var notify: BluetoothUUID? {
    switch self {
    case .nothing: VirtualNothing.notify
    case .soundcore: SoundcoreLanguage.notify
    case .standard, .proximity: nil
    }
  }

  /// The service in which the family's language is spoken.
  var control: ServiceDefinition? {
    switch self {
    case .nothing:
      ServiceDefinition(
        NothingLanguage.service,
        [
          CharacteristicDefinition(VirtualNothing.write, .write),
          CharacteristicDefinition(VirtualNothing.notify, .notify),
        ])
    case .soundcore(let soundcore):
      ServiceDefinition(
        soundcore.service,
        [
          CharacteristicDefinition(
            SoundcoreLanguage.write, [.write, .writeWithoutResponse]),
          CharacteristicDefinition(SoundcoreLanguage.notify, [.read, .notify]),
        ])
    case .standard, .proximity: nil
    }
  }

  /// What it advertises beside flags and name.
  var advertised: AdvertisingStructure {
    switch self {
    case .nothing:
      .serviceUUIDs([NothingLanguage.service, .fastPair], isComplete: false)
    case .soundcore(let soundcore): .serviceUUIDs([soundcore.service], isComplete: true)
    // A model that can be paired: three bytes.
    case .standard: .serviceData(.fastPair, [0xAA, 0xBB, 0xCC])
    case .proximity(let bytes):
      .manufacturerData(company: ProximityAdvertisement.company, bytes[...])
    }
  }

  var isConnectable: Bool {
    if case .proximity = self { false } else { true }
  }

  /// Whether the standard services beside it tell batteries and information.
  var hasStandardServices: Bool { self == .standard }
}

extension VirtualModel {
  /// Immediate Alert: the headphone makes itself heard.
  static let immediateAlert = ServiceDefinition(
    .bit16(0x1802),
    [CharacteristicDefinition(.bit16(0x2A06), .writeWithoutResponse, accepts: .byte(0...2))])
}
