public import BluetoothCodec

/// Noise control as four bytes: which it is, and what each kind is set to.
public struct SoundcoreSoundModes: Hashable, Sendable {
  /// Which one is on; a value that is not known keeps its number.
  public enum Ambient: Hashable, Sendable {
    case noiseCancelling, transparency, normal
    /// Kept, so that what is written back is what was read.
    case unknown(UInt8)

    init(_ raw: UInt8) {
      switch raw {
      case 0: self = .noiseCancelling
      case 1: self = .transparency
      case 2: self = .normal
      default: self = .unknown(raw)
      }
    }

    var rawValue: UInt8 {
      switch self {
      case .noiseCancelling: 0
      case .transparency: 1
      case .normal: 2
      case .unknown(let raw): raw
      }
    }
  }

  /// The first byte.
  public var ambient: Ambient
  /// Scene of the cancelling: 0 transport, 1 outdoor, 2 indoor, 3 custom; kept as the headphone has
  /// it.
  public var scene: UInt8
  /// 0 full, 1 vocal.
  public var transparency: UInt8
  /// The level of custom cancelling, as the headphone has it.
  public var custom: UInt8

  public init(ambient: Ambient, scene: UInt8 = 0, transparency: UInt8 = 0, custom: UInt8 = 0) {
    self.ambient = ambient
    self.scene = scene
    self.transparency = transparency
    self.custom = custom
  }

  /// Reads the first four bytes; further ones are ignored.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore sound modes")
    self = try Self(&reader)
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    ambient = Ambient(try reader.uint8())
    scene = try reader.uint8()
    transparency = try reader.uint8()
    custom = try reader.uint8()
  }

  /// Four bytes.
  public func encoded() -> [UInt8] { [ambient.rawValue, scene, transparency, custom] }

  /// Nil: one that has no name here.
  public var mode: ANCMode? {
    switch ambient {
    case .noiseCancelling: .noiseCancelling
    case .transparency: .transparency
    case .normal: .off
    case .unknown: nil
    }
  }

  /// With another mode, all else as it is; nil: these headphones have no such mode.
  public func with(_ mode: ANCMode) -> SoundcoreSoundModes? {
    var changed = self
    switch mode {
    case .off: changed.ambient = .normal
    case .noiseCancelling: changed.ambient = .noiseCancelling
    case .transparency: changed.ambient = .transparency
    case .adaptive: return nil
    }
    return changed
  }
}
