public import BluetoothCodec

/// The headphone's own volume, independent of the sound server's.
public struct HeadphoneVolume: Hashable, Sendable {
  /// The level in %, 0 to 100.
  public var level: UInt8
  /// Whether the headphone is muted, which does not change ``level``.
  public var isMuted: Bool

  /// Creates a volume, limiting the level to 100.
  public init(level: UInt8, isMuted: Bool) {
    self.level = min(level, 100)
    self.isMuted = isMuted
  }
}

/// The Volume State characteristic (2B7D; Volume Control Service 1.0, 3.1).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | volume setting |
/// | 1 | 1 | mute: 0 or 1 |
/// | 2 | 1 | change counter |
public struct VolumeState: Hashable, Sendable {
  /// The volume setting, 0 to 255.
  public var setting: UInt8
  /// Whether the headphone is muted, which does not change ``setting``.
  public var isMuted: Bool
  /// The change counter, which each request to the control point must repeat.
  public var counter: UInt8

  public init(setting: UInt8, isMuted: Bool, counter: UInt8) {
    self.setting = setting
    self.isMuted = isMuted
    self.counter = counter
  }

  /// Decodes exactly three bytes, or throws for a mute value other than 0 and 1.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "volume state")
    setting = try reader.uint8()
    isMuted = try reader.flag()
    counter = try reader.uint8()
    try reader.finish()
  }

  public var volume: HeadphoneVolume {
    HeadphoneVolume(level: UInt8((Int(setting) * 100 + 127) / 255), isMuted: isMuted)
  }

  /// Returns the control point's bytes for Set Absolute Volume (3.2.2.5), with a level in %.
  public func command(level: UInt8) -> [UInt8] {
    [Self.setAbsolute, counter, UInt8((Int(min(level, 100)) * 255 + 50) / 100)]
  }

  /// Returns the control point's bytes for Mute or Unmute (3.2.2.6, 3.2.2.7).
  public func command(isMuted: Bool) -> [UInt8] { [isMuted ? Self.mute : Self.unmute, counter] }

  public static let setAbsolute: UInt8 = 0x04
  public static let unmute: UInt8 = 0x05
  public static let mute: UInt8 = 0x06
  /// The ATT error code for an outdated counter: the state has changed since it was read.
  package static let invalidCounter = ATTErrorCode(rawValue: 0x80)
}
