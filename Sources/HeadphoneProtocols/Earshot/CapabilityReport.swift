public import BluetoothCodec

/// What command 0x01 answers (docs/protocol.md section 6).
public struct CapabilityReport: Hashable, Sendable {
  /// The version of packets that the headphone speaks, 1 today.
  public var protocolVersion: UInt8
  /// What the headphone can do; unknown bits are kept.
  public var features: Features
  /// The modes of the mask, in the order of their bits.
  public var ancModes: [ANCMode]
  /// The presets of the mask, in the order of their bits.
  public var eqPresets: [EQPreset]
  /// Bands of the custom equaliser.
  public var bands: UInt8
  /// Commands that the headphone takes at a time, at least 1.
  public var window: UInt8

  /// What a virtual headphone answers.
  public init(
    protocolVersion: UInt8 = HeadphonePacket.currentVersion, features: Features,
    ancModes: [ANCMode], eqPresets: [EQPreset], bands: UInt8, window: UInt8 = 1
  ) {
    self.protocolVersion = protocolVersion
    self.features = features
    self.ancModes = ancModes
    self.eqPresets = eqPresets
    self.bands = bands
    self.window = max(1, window)
  }

  /// Decodes the response's data, without its status.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "capabilities")
    protocolVersion = try reader.uint8()
    features = Features(rawValue: try reader.uint16())
    ancModes = Self.listed(in: try reader.uint8())
    eqPresets = Self.listed(in: try reader.uint8())
    bands = try reader.uint8()
    window = max(1, try reader.uint8())
  }

  /// The response's data, without its status.
  public func encoded() -> [UInt8] {
    var bytes = [protocolVersion]
    bytes.append(littleEndian: features.rawValue)
    return bytes + [Self.mask(of: ancModes), Self.mask(of: eqPresets), bands, window]
  }

  private static func listed<T: RawRepresentable<UInt8> & CaseIterable>(in mask: UInt8) -> [T] {
    T.allCases.filter { mask >> $0.rawValue & 1 == 1 }
  }

  private static func mask<T: RawRepresentable<UInt8>>(of values: [T]) -> UInt8 {
    values.reduce(0) { $0 | 1 << $1.rawValue }
  }
}

/// The feature bits of command 0x01.
public struct Features: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let anc = Features(rawValue: 1 << 0)
  public static let ancLevel = Features(rawValue: 1 << 1)
  public static let eq = Features(rawValue: 1 << 2)
  public static let customEQ = Features(rawValue: 1 << 3)
  public static let wearDetection = Features(rawValue: 1 << 4)
  public static let find = Features(rawValue: 1 << 5)
  public static let touchActions = Features(rawValue: 1 << 6)
  public static let `case` = Features(rawValue: 1 << 7)
  public static let firmwareUpdate = Features(rawValue: 1 << 8)
  public static let rename = Features(rawValue: 1 << 9)
  public static let factoryReset = Features(rawValue: 1 << 10)

  /// Every feature that docs/protocol.md names.
  public static let all: Features = [
    .anc, .ancLevel, .eq, .customEQ, .wearDetection, .find, .touchActions, .case,
    .firmwareUpdate, .rename, .factoryReset,
  ]
}
