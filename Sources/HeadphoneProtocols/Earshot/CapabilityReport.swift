public import BluetoothCodec

/// The response to command 0x01 (docs/protocol.md section 6).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | protocol version |
/// | 1 | 2 | features |
/// | 3 | 1 | mask of ANC modes |
/// | 4 | 1 | mask of EQ presets |
/// | 5 | 1 | bands of the custom equaliser |
/// | 6 | 1 | window |
public struct CapabilityReport: Hashable, Sendable {
  /// The version of the packets, currently 1.
  public var protocolVersion: UInt8
  /// The features, including unknown bits.
  public var features: Features
  /// The modes in the order of their bits.
  public var ancModes: [ANCMode]
  /// The presets in the order of their bits.
  public var eqPresets: [EQPreset]
  /// The number of bands of the custom equaliser.
  public var bands: UInt8
  /// The number of commands that may be outstanding, at least 1.
  public var window: UInt8

  /// Creates the report of a virtual headphone.
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

  /// Decodes the response's data after its status, and ignores bytes after the fields.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "capabilities")
    protocolVersion = try reader.uint8()
    features = Features(rawValue: try reader.uint16())
    ancModes = Self.listed(in: try reader.uint8())
    eqPresets = Self.listed(in: try reader.uint8())
    bands = try reader.uint8()
    window = max(1, try reader.uint8())
  }

  private static func listed<T: RawRepresentable<UInt8> & CaseIterable>(in mask: UInt8) -> [T] {
    T.allCases.filter { mask >> $0.rawValue & 1 == 1 }
  }
}

/// The feature bits in the response to command 0x01.
public struct Features: OptionSet, Hashable, Sendable {
  /// Bits 0 to 10 of the response to command 0x01; the others are reserved.
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let anc = Features(rawValue: 1 << 0)
  /// A level from 0 to 10.
  public static let ancLevel = Features(rawValue: 1 << 1)
  public static let eq = Features(rawValue: 1 << 2)
  public static let customEQ = Features(rawValue: 1 << 3)
  public static let wearDetection = Features(rawValue: 1 << 4)
  public static let find = Features(rawValue: 1 << 5)
  public static let touchActions = Features(rawValue: 1 << 6)
  /// A case that reports its battery and lid.
  public static let `case` = Features(rawValue: 1 << 7)
  public static let firmwareUpdate = Features(rawValue: 1 << 8)
  public static let rename = Features(rawValue: 1 << 9)
  public static let factoryReset = Features(rawValue: 1 << 10)

  public static let all: Features = [
    .anc, .ancLevel, .eq, .customEQ, .wearDetection, .find, .touchActions, .case,
    .firmwareUpdate, .rename, .factoryReset,
  ]
}
