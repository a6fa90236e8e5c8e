public import BluetoothCodec

/// Noise control over BLE as four bytes: the active kind, and the setting of each.
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | ``ambient`` | 0 cancelling, 1 transparency, 2 off |
/// | 1 | ``scene`` | 0 transport, 1 outdoor, 2 indoor, 3 custom |
/// | 2 | ``transparency`` | 0 full, 1 vocal |
/// | 3 | ``custom`` | level of custom cancelling |
///
/// A command repeats all four, so that changing the mode keeps the rest. Proven by recordings of
/// Life Q30.
///
/// ```swift
/// let modes = try SoundcoreSoundModes(decoding: [0x02, 0x01, 0x01, 0x00])
/// modes.mode  // .off
/// modes.with(.noiseCancelling)?.encoded()  // 00 01 01 00
/// ```
public struct SoundcoreSoundModes: Hashable, Sendable {
  /// The active kind; a number that is not known is kept.
  public enum Ambient: Hashable, Sendable {
    /// 0, 1 and 2.
    case noiseCancelling, transparency, normal
    /// Another number, kept so that what is written back is what was read.
    case unknown(UInt8)

    /// The kind of a number.
    init(_ raw: UInt8) {
      switch raw {
      case 0: self = .noiseCancelling
      case 1: self = .transparency
      case 2: self = .normal
      default: self = .unknown(raw)
      }
    }

    /// The number of a kind.
    var rawValue: UInt8 {
      switch self {
      case .noiseCancelling: 0
      case .transparency: 1
      case .normal: 2
      case .unknown(let raw): raw
      }
    }
  }

  /// The active kind.
  public var ambient: Ambient
  /// The scene of cancelling: 0 transport, 1 outdoor, 2 indoor, 3 custom.
  public var scene: UInt8
  /// The kind of transparency: 0 full, 1 vocal.
  public var transparency: UInt8
  /// The level of custom cancelling, in the headphone's own steps.
  public var custom: UInt8

  public init(ambient: Ambient, scene: UInt8 = 0, transparency: UInt8 = 0, custom: UInt8 = 0) {
    self.ambient = ambient
    self.scene = scene
    self.transparency = transparency
    self.custom = custom
  }

  /// Decodes the first four bytes; further ones are ignored.
  ///
  /// - Throws: `MalformedBytes` for fewer.
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

  /// The four bytes.
  public func encoded() -> [UInt8] { [ambient.rawValue, scene, transparency, custom] }

  /// The mode of ``ambient``; nil: it has no name here.
  public var mode: ANCMode? {
    switch ambient {
    case .noiseCancelling: .noiseCancelling
    case .transparency: .transparency
    case .normal: .off
    case .unknown: nil
    }
  }

  /// The same with another mode; nil: these headphones have no adaptive mode.
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
