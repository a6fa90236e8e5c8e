public import BluetoothCodec

/// Everything at once, as command 0101 is answered; where what is in it is the model's.
public struct SoundcoreState: Hashable, Sendable {
  /// Of ``SoundcoreBattery/steps``.
  public var step: UInt8?
  /// Nil, as all that follows: the layout has no place for it.
  public var isCharging: Bool?
  /// Preset and bands.
  public var eq: SoundcoreEQ?
  /// Noise control.
  public var soundModes: SoundcoreSoundModes?
  /// 5 characters, for example "01.63".
  public private(set) var firmware: String?
  /// 16 characters.
  public private(set) var serial: String?
  /// As it was told; what has no place above stays as it is.
  private let body: Bytes
  private let layout: SoundcoreLayout

  private static let firmwareLength = 5
  private static let serialLength = 16

  /// Reads a frame's body where the layout says.
  ///
  /// - Throws: where the body ends before a place, or a value cannot be one.
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

  private static func field<Value>(
    _ bytes: Bytes, _ place: Int?, _ read: (inout ByteReader) throws(MalformedBytes) -> Value
  ) throws(MalformedBytes) -> Value? {
    guard let place else { return nil }
    var reader = ByteReader(bytes, of: "Soundcore state")
    _ = try reader.take(place)
    return try read(&reader)
  }

  /// The body of the frame.
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
