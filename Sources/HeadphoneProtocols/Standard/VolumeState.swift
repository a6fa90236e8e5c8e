public import BluetoothCodec

/// How loud the headphone itself is; nothing of the sound server's.
public struct HeadphoneVolume: Hashable, Sendable {
  /// %, 0 to 100.
  public var level: UInt8
  /// Without a change of ``level``, which is there again afterwards.
  public var isMuted: Bool

  /// A level above 100 is 100.
  public init(level: UInt8, isMuted: Bool) {
    self.level = min(level, 100)
    self.isMuted = isMuted
  }
}

/// Volume State (2B7D; Volume Control Service 1.0, 3.1): setting, mute, and a counter of changes.
public struct VolumeState: Hashable, Sendable {
  /// 0 to 255.
  public var setting: UInt8
  /// Without a change of ``setting``.
  public var isMuted: Bool
  /// Whoever wants a change says which state it knows.
  public var counter: UInt8

  public init(setting: UInt8, isMuted: Bool, counter: UInt8) {
    self.setting = setting
    self.isMuted = isMuted
    self.counter = counter
  }

  /// Reads the three bytes of the characteristic, and no more.
  ///
  /// - Throws: for a mute other than 0 and 1, too.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "volume state")
    setting = try reader.uint8()
    isMuted = try reader.flag()
    counter = try reader.uint8()
    try reader.finish()
  }

  /// The three bytes of the characteristic.
  public func encoded() -> [UInt8] { [setting, isMuted ? 1 : 0, counter] }

  /// With the setting as a percentage, rounded.
  public var volume: HeadphoneVolume {
    HeadphoneVolume(level: UInt8((Int(setting) * 100 + 127) / 255), isMuted: isMuted)
  }

  /// The control point's bytes for Set Absolute Volume (3.2.2.5).
  ///
  /// - Parameter level: %, 0 to 100.
  public func order(level: UInt8) -> [UInt8] {
    [Self.setAbsolute, counter, UInt8((Int(min(level, 100)) * 255 + 50) / 100)]
  }

  /// The control point's bytes for Mute or Unmute (3.2.2.6, 3.2.2.7).
  public func order(isMuted: Bool) -> [UInt8] { [isMuted ? Self.mute : Self.unmute, counter] }

  public static let setAbsolute: UInt8 = 0x04
  public static let unmute: UInt8 = 0x05
  public static let mute: UInt8 = 0x06
  /// The state has changed since it was read.
  package static let invalidCounter = ATTErrorCode(rawValue: 0x80)
}
