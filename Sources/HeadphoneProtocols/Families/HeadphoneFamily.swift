package import BluetoothCodec

/// A kind of headphone that has a driver.
///
/// It is determined by the services and records of a device, never by its name. A user may set it
/// with `--driver`:
///
/// ```swift
/// if let family = HeadphoneFamily(rawValue: "sony") { print(family.isOnAudioSide) }  // true
/// ```
public struct HeadphoneFamily: RawRepresentable, Sendable {
  /// The name for `--driver`, and of the family's file of recorded bytes.
  public let rawValue: String
  /// The family's protocol over GATT; `nil` if it has none beside the standard services.
  package let language: (any FamilyProtocol.Type)?
  /// The family's protocol on a serial channel of the audio side; `nil` if it has none.
  package let serialLanguage: (any SerialProtocol.Type)?

  /// A family with its protocols.
  private init(
    _ name: String, _ language: (any FamilyProtocol.Type)? = nil,
    serial: (any SerialProtocol.Type)? = nil
  ) {
    rawValue = name
    self.language = language
    serialLanguage = serial
  }

  /// The family with a name; `nil` if there is none.
  public init?(rawValue: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = known
  }

  /// The protocol of docs/protocol.md, and profiles of the configuration.
  public static let earshot = HeadphoneFamily("earshot")
  /// Nothing and CMF.
  public static let nothing = HeadphoneFamily(
    "nothing", NothingProtocol.self, serial: NothingProtocol.self)
  /// Soundcore of Anker.
  public static let soundcore = HeadphoneFamily(
    "soundcore", SoundcoreProtocol.self, serial: SoundcoreSerialProtocol.self)
  /// AirPods and Beats, on the link of the audio side.
  public static let airpods = HeadphoneFamily("airpods")
  /// The standard services alone.
  public static let standard = HeadphoneFamily("standard")

  /// Whether its controls are on the audio side alone, whose address is then enough to connect.
  public var isOnAudioSide: Bool {
    self == .airpods || serialLanguage != nil && language == nil
  }

  /// The family of one of a device's services on serial channels, which never depends on the name.
  ///
  /// - Parameters:
  ///   - services: the services on serial channels.
  ///   - vendor: the vendor in the Device ID record; `nil` if it has none.
  /// - Returns: the protocol and its service; `nil` if no family matches. The service is not among
  ///   `services` if it may be found by the numbers of its channels.
  package static func serial(
    _ services: [BluetoothUUID], vendor: UInt16?
  ) -> (language: any SerialProtocol.Type, service: SerialService, uuid: BluetoothUUID)? {
    let known = allCases.compactMap(\.serialLanguage).flatMap { language in
      language.services.map { (language, $0) }
    }
    for (language, service) in known {
      if let uuid = service.match(services, vendor: vendor) { return (language, service, uuid) }
    }
    return known.first { !$1.channels.isEmpty && $1.vendor == vendor }.map { ($0, $1, $1.uuid) }
  }
}

extension HeadphoneFamily: CaseIterable {
  /// All families, in the order in which they are tried; a family is registered only here.
  public static let allCases: [HeadphoneFamily] = [
    .earshot, .nothing, .soundcore, .airpods,
    HeadphoneFamily("jbl", JBLProtocol.self),
    HeadphoneFamily("qcy", QCYProtocol.self),
    HeadphoneFamily("sony", serial: SonyProtocol.self),
    HeadphoneFamily("galaxy-buds", serial: GalaxyBudsProtocol.self),
    HeadphoneFamily("bose", serial: BoseProtocol.self),
    HeadphoneFamily("huawei", serial: HuaweiProtocol.self),
    HeadphoneFamily("oppo", serial: OppoProtocol.self),
    HeadphoneFamily("pixel-buds", serial: PixelBudsProtocol.self),
    HeadphoneFamily("vivo", serial: VivoProtocol.self),
    HeadphoneFamily("edifier", serial: EdifierProtocol.self),
    HeadphoneFamily("sennheiser", serial: SennheiserProtocol.self),
    HeadphoneFamily("redmi", serial: RedmiProtocol.self),
    .standard,
  ]
}

/// Families are equal if their names are.
extension HeadphoneFamily: Hashable {
  public static func == (a: HeadphoneFamily, b: HeadphoneFamily) -> Bool {
    a.rawValue == b.rawValue
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
