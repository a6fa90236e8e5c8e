public import BluetoothCodec

/// What the batteries are: a count, and five bytes for each.
public struct AACPBattery: Hashable, Sendable {
  /// What has a battery, by its published number.
  public enum Component: UInt8, Hashable, Sendable, CaseIterable {
    /// A headphone over the head, which has one.
    case headset = 0x01
    case right = 0x02
    case left = 0x04
    case `case` = 0x08
  }

  /// What a battery does.
  public enum Status: Hashable, Sendable {
    case charging, discharging
    /// It is not there now; its level means nothing.
    case disconnected
    /// Another number, for example 5 (in use).
    case other(UInt8)

    init(_ raw: UInt8) {
      switch raw {
      case 1: self = .charging
      case 2: self = .discharging
      case 4: self = .disconnected
      default: self = .other(raw)
      }
    }

    var rawValue: UInt8 {
      switch self {
      case .charging: 1
      case .discharging: 2
      case .disconnected: 4
      case .other(let raw): raw
      }
    }
  }

  /// The battery of one part.
  public struct Entry: Hashable, Sendable {
    public var component: Component
    /// %, 0 to 100.
    public var level: UInt8
    public var status: Status

    public init(_ component: Component, _ level: UInt8, _ status: Status) {
      self.component = component
      self.level = level
      self.status = status
    }
  }

  /// As they were told: the first bud is the primary one.
  public var entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  /// Reads what follows the opcode; a component that is not known is left out.
  ///
  /// - Throws: for a level above 100 of a part that is connected.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP battery")
    let count = try reader.uint8()
    entries = []
    for _ in 0..<count {
      let number = try reader.uint8()
      _ = try reader.uint8()
      let level = try reader.uint8()
      let status = Status(try reader.uint8())
      _ = try reader.uint8()
      // Another component than these has no place on the screen.
      guard let component = Component(rawValue: number) else { continue }
      guard level <= 100 || status == .disconnected else {
        throw reader.malformed(.badValue(UInt64(level)), at: reader.offset - 3)
      }
      entries.append(Entry(component, level, status))
    }
  }

  /// What follows the opcode.
  public func encoded() -> [UInt8] {
    [UInt8(clamping: entries.count)]
      + entries.flatMap { [$0.component.rawValue, 1, $0.level, $0.status.rawValue, 1] }
  }
}

/// Where the two buds are, the primary one first.
public struct AACPEar: Hashable, Sendable {
  /// Where a bud is.
  public enum Place: UInt8, Hashable, Sendable {
    case inEar = 0, out, inCase, disconnected
  }

  /// Which bud that is, the order of the batteries tells.
  public var primary: Place
  public var secondary: Place

  public init(primary: Place, secondary: Place) {
    self.primary = primary
    self.secondary = secondary
  }

  /// Reads the first two bytes after the opcode; further ones are ignored.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP ear detection")
    primary = try reader.value(of: Place.self)
    secondary = try reader.value(of: Place.self)
  }

  /// What follows the opcode: a byte for each bud.
  public func encoded() -> [UInt8] { [primary.rawValue, secondary.rawValue] }
}

/// A setting and its value; the headphone tells one in the same bytes as it is ordered.
public struct AACPControl: Hashable, Sendable {
  /// Which setting, by its published number; one that is not known keeps its number.
  public enum Identifier: Hashable, Sendable {
    case noiseControl
    case adaptiveStrength
    /// Bytes of it are kept in ``AACPControl/value``.
    case other(UInt8)

    init(_ raw: UInt8) {
      switch raw {
      case 0x0D: self = .noiseControl
      case 0x2E: self = .adaptiveStrength
      default: self = .other(raw)
      }
    }

    var rawValue: UInt8 {
      switch self {
      case .noiseControl: 0x0D
      case .adaptiveStrength: 0x2E
      case .other(let raw): raw
      }
    }
  }

  /// Stands in the first byte after the opcode.
  public var identifier: Identifier
  /// Of noise control 1 to 4 for off, cancelling, transparency and adaptive; of strength 0 to 100.
  public var value: UInt8
  /// Three more bytes, of no meaning to the settings that are known here.
  public var more: Bytes

  /// With zeros in the bytes that mean nothing.
  public init(_ identifier: Identifier, _ value: UInt8) {
    self.identifier = identifier
    self.value = value
    more = [0, 0, 0]
  }

  /// Reads the five bytes after the opcode; further ones are ignored.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP control")
    identifier = Identifier(try reader.uint8())
    value = try reader.uint8()
    more = try reader.take(3)
  }

  /// Five bytes: what follows the opcode.
  public func encoded() -> [UInt8] { [identifier.rawValue, value] + more }
}

/// What the headphone is called and made by: five bytes, then texts that a zero ends.
public struct AACPMetadata: Hashable, Sendable {
  /// The person's name for the headphone; nil: not told, or empty.
  public var name: String?
  /// "A3048".
  public var model: String?
  /// Nil: not told, or empty.
  public var manufacturer: String?
  /// Nil: not told, or empty.
  public var serial: String?
  /// As the maker numbers it; nil: not told, or empty.
  public var firmware: String?

  private static let headLength = 5

  public init(
    name: String?, model: String?, manufacturer: String?, serial: String?, firmware: String?
  ) {
    self.name = name
    self.model = model
    self.manufacturer = manufacturer
    self.serial = serial
    self.firmware = firmware
  }

  /// Texts beyond the fifth are left out; what stands there is not known.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP metadata")
    _ = try reader.take(Self.headLength)
    var texts = reader.rest().split(separator: 0, maxSplits: 5, omittingEmptySubsequences: false)
      .prefix(5).map { $0.isEmpty ? nil : textFromAir($0) }
    texts += Array(repeating: nil, count: 5 - texts.count)
    (name, model, manufacturer, serial, firmware) = (
      texts[0], texts[1], texts[2], texts[3], texts[4]
    )
  }

  /// What follows the opcode; a nil text is an empty one.
  public func encoded() -> [UInt8] {
    var texts: [UInt8] = []
    for text in [name, model, manufacturer, serial, firmware] {
      texts += Array((text ?? "").utf8) + [0]
    }
    var bytes: [UInt8] = [0x02]
    bytes.append(littleEndian: UInt16(truncatingIfNeeded: texts.count))
    return bytes + [0x04, 0x00] + texts
  }
}
