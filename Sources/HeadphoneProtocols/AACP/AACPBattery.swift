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

  /// The entries in received order: the first bud is the primary one.
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
