public import BluetoothCodec

/// The answer to command 0101: everything at once, at the offsets of the model's layout.
///
/// ```swift
/// let state = try SoundcoreState(decoding: frame.body, by: layout)
/// state.step  // 5: full
/// state.soundModes?.mode  // .off
/// ```
public struct SoundcoreState: Hashable, Sendable {
  /// The battery's step, 0 to ``SoundcoreBattery/steps``; nil, as all that follows: the layout has
  /// no place for it.
  public var step: UInt8?
  /// Whether the battery charges.
  public var isCharging: Bool?
  /// Preset and bands.
  public var eq: SoundcoreEQ?
  /// Noise control.
  public var soundModes: SoundcoreSoundModes?
  /// The firmware version of 5 characters, for example "01.63".
  public private(set) var firmware: String?
  /// The serial number of 16 characters.
  public private(set) var serial: String?
  /// The body as it was read: ``encoded()`` keeps what has no place above.
  private let body: Bytes
  private let layout: SoundcoreLayout

  private static let firmwareLength = 5
  private static let serialLength = 16

  /// Decodes a frame's body.
  ///
  /// - Parameters:
  ///   - bytes: the body without header and checksum.
  ///   - layout: the offsets of the model.
  /// - Throws: `MalformedBytes` where the body ends before a field, and for a step above 5 or a
  ///   charging byte above 1.
  public init(decoding bytes: Bytes, by layout: SoundcoreLayout) throws(MalformedBytes) {
    body = bytes
    self.layout = layout
    step = try Self.field(bytes, layout.battery) { reader throws(MalformedBytes) in
      try reader.uint8(in: 0...SoundcoreBattery.steps)
    }
    isCharging = try Self.field(bytes, layout.charging) { reader throws(MalformedBytes) in
      try reader.flag()
    }
    eq = try Self.field(bytes, layout.eq) { reader throws(MalformedBytes) in
      try SoundcoreEQ(&reader)
    }
    soundModes = try Self.field(bytes, layout.soundModes) { reader throws(MalformedBytes) in
      try SoundcoreSoundModes(&reader)
    }
    firmware = try Self.field(bytes, layout.firmware) { reader throws(MalformedBytes) in
      textFromAir(try reader.take(Self.firmwareLength))
    }
    serial = try Self.field(bytes, layout.serial) { reader throws(MalformedBytes) in
      textFromAir(try reader.take(Self.serialLength))
    }
  }

  /// Reads a field at its offset; nil where the layout has none.
  private static func field<Value>(
    _ bytes: Bytes, _ place: Int?, _ read: (inout ByteReader) throws(MalformedBytes) -> Value
  ) throws(MalformedBytes) -> Value? {
    guard let place else { return nil }
    var reader = ByteReader(bytes, of: "Soundcore state")
    _ = try reader.take(place)
    return try read(&reader)
  }

  /// The body as it was read, with the present values at their offsets.
  public func encoded() -> [UInt8] {
    var bytes = Array(body)
    let fields: [(Int?, [UInt8]?)] = [
      (layout.battery, step.map { [$0] }), (layout.charging, isCharging.map { [$0 ? 1 : 0] }),
      (layout.eq, eq?.encoded()), (layout.soundModes, soundModes?.encoded()),
    ]
    for case (let place?, let value?) in fields {
      bytes.replaceSubrange(place..<place + value.count, with: value)
    }
    return bytes
  }
}
