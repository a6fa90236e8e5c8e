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

/// Battery steps of one device, or of the left and the right bud.
public struct SoundcoreBattery: Hashable, Sendable {
  /// Full; the headphone tells no percentage.
  public static let steps: UInt8 = 5

  /// One or two.
  public var levels: [UInt8]

  /// Reads a frame's body of one byte, or two.
  ///
  /// - Throws: for a step above ``steps``.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore battery")
    levels = [try reader.uint8(in: 0...Self.steps)]
    if !reader.isAtEnd { levels.append(try reader.uint8(in: 0...Self.steps)) }
  }
}

/// Whether the device charges, or its left and right bud.
public struct SoundcoreCharging: Hashable, Sendable {
  /// One or two.
  public var isCharging: [Bool]

  /// Reads a frame's body of one byte, or two.
  ///
  /// - Throws: for a byte other than 0 and 1.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore charging")
    isCharging = [try reader.flag()]
    if !reader.isAtEnd { isCharging.append(try reader.flag()) }
  }
}

/// Firmware of one device or of two buds (5 characters each), and the serial number (16).
public struct SoundcoreFirmware: Hashable, Sendable {
  /// One or two.
  public var versions: [String]
  /// 16 characters.
  public var serial: String

  private static let versionLength = 5
  private static let serialLength = 16

  /// Reads a frame's body; its length tells whether there are one or two versions.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore firmware")
    let isDual = bytes.count >= 2 * Self.versionLength + Self.serialLength
    versions = [textFromAir(try reader.take(Self.versionLength))]
    if isDual { versions.append(textFromAir(try reader.take(Self.versionLength))) }
    serial = textFromAir(try reader.take(Self.serialLength))
  }
}
