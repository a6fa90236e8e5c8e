/// A kind of headphone that has a driver.
///
/// `DeviceKind` determines the family by the services and records of a device, never by its name. A
/// user may choose it with `--driver`:
///
/// ```swift
/// if let family = HeadphoneFamily(rawValue: "sony") { print(family.isOnAudioSide) }  // true
/// ```
public struct HeadphoneFamily: RawRepresentable, Sendable {
  /// The name in `--driver` and of the family's file of recorded bytes.
  public let rawValue: String
  /// The protocol over GATT, or nil if the family has only the standard services.
  package let gattProtocol: (any FamilyProtocol.Type)?
  /// The protocol on a serial channel of the audio side, or nil if there is none.
  package let serialProtocol: (any SerialProtocol.Type)?
  /// The table of a driver file, or nil for a built-in family.
  package let table: DriverTable?

  init(
    _ name: String, _ gattProtocol: (any FamilyProtocol.Type)? = nil,
    serial: (any SerialProtocol.Type)? = nil, table: DriverTable? = nil
  ) {
    rawValue = name
    self.gattProtocol = gattProtocol
    serialProtocol = serial
    self.table = table
  }

  /// Creates the family with a name, or fails if there is none.
  public init?(rawValue: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = known
  }

  /// Headphones with the protocol of docs/protocol.md or a profile of the configuration.
  public static let earshot = HeadphoneFamily("earshot")
  public static let nothing = HeadphoneFamily(
    "nothing", NothingProtocol.self, serial: NothingProtocol.self)
  public static let soundcore = HeadphoneFamily(
    "soundcore", SoundcoreProtocol.self, serial: SoundcoreProtocol.self)
  /// AirPods and Beats, controlled on the link of the audio side.
  public static let airpods = HeadphoneFamily("airpods")
  public static let standard = HeadphoneFamily("standard")

  /// Whether control is on the audio side only; that address is enough to connect.
  public var isOnAudioSide: Bool {
    self == .airpods || !serialServices.isEmpty && gattProtocol == nil
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
    HeadphoneFamily("1more", serial: OneMoreProtocol.self),
    HeadphoneFamily("technics", serial: TechnicsProtocol.self),
    HeadphoneFamily("moondrop", serial: MoondropProtocol.self),
    .standard,
  ]
}

extension HeadphoneFamily: Hashable {
  public static func == (a: HeadphoneFamily, b: HeadphoneFamily) -> Bool {
    a.rawValue == b.rawValue
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
