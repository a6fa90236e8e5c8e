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
  /// The version of the headphone's packets, currently 1.
  public var protocolVersion: UInt8
  /// The features; unknown bits are kept.
  public var features: Features
  /// The modes in the mask, in the order of their bits.
  public var ancModes: [ANCMode]
  /// The presets in the mask, in the order of their bits.
  public var eqPresets: [EQPreset]
  /// The number of bands of the custom equaliser.
  public var bands: UInt8
  /// The number of commands that the headphone accepts at a time, at least 1.
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

  /// Decodes the response's data after its status; bytes after the fields are ignored.
  ///
  /// - Throws: ``/BluetoothCodec/MalformedBytes`` if it is truncated.
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
  /// Bits 0 to 10; the others are reserved.
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Noise-control modes.
  public static let anc = Features(rawValue: 1 << 0)
  /// A noise-control level from 0 to 10.
  public static let ancLevel = Features(rawValue: 1 << 1)
  /// Equaliser presets.
  public static let eq = Features(rawValue: 1 << 2)
  /// An equaliser with a gain for each band.
  public static let customEQ = Features(rawValue: 1 << 3)
  /// Detection of wearing, which can be switched off.
  public static let wearDetection = Features(rawValue: 1 << 4)
  /// A loud sound to find a bud.
  public static let find = Features(rawValue: 1 << 5)
  /// Configurable touch gestures.
  public static let touchActions = Features(rawValue: 1 << 6)
  /// A charging case that reports its battery and lid.
  public static let `case` = Features(rawValue: 1 << 7)
  /// Firmware updates (docs/protocol.md section 7).
  public static let firmwareUpdate = Features(rawValue: 1 << 8)
  /// A name that can be changed.
  public static let rename = Features(rawValue: 1 << 9)
  /// A reset to factory settings.
  public static let factoryReset = Features(rawValue: 1 << 10)

  /// All features that docs/protocol.md defines.
  public static let all: Features = [
    .anc, .ancLevel, .eq, .customEQ, .wearDetection, .find, .touchActions, .case,
    .firmwareUpdate, .rename, .factoryReset,
  ]
}
