/// Where the values are in a Soundcore model's answer to command 0101; a place that is nil is not
/// there.
public struct SoundcoreLayout: Hashable, Sendable {
  /// Of the body's bytes: a step of the battery for each device.
  public var battery: Int?
  /// 1 byte, 0 or 1.
  public var charging: Int?
  /// Preset (2 bytes) and 8 bands.
  public var eq: Int?
  /// 4 bytes.
  public var soundModes: Int?
  /// 5 characters.
  public var firmware: Int?
  /// 16 characters.
  public var serial: Int?

  public init() {}
}
