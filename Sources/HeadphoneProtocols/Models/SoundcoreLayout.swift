/// The offsets of the values in a Soundcore model's response to command 0101; `nil` for absent
/// values.
public struct SoundcoreLayout: Hashable, Sendable {
  /// The battery level in steps, 1 byte for each device.
  public var battery: Int?
  /// The charging state, 1 byte for each device: 0 or 1.
  public var charging: Int?
  /// The preset (2 bytes) and 8 bands.
  public var eq: Int?
  /// The sound modes, 4 bytes.
  public var soundModes: Int?
  /// The firmware version, 5 characters.
  public var firmware: Int?
  /// The serial number, 16 characters.
  public var serial: Int?

  public init() {}
}
