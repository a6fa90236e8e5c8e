public import BluetoothCodec

/// The batteries of AirPods or Beats: a count, and five bytes for each battery.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | component |
/// | 1 | 1 | 1 |
/// | 2 | 1 | level in % |
/// | 3 | 1 | status |
/// | 4 | 1 | 1 |
public struct AACPBattery: Hashable, Sendable {
  /// A part with a battery, by its published number.
  public enum Component: UInt8, Hashable, Sendable, CaseIterable {
    /// Over-ear headphones, which have one battery.
    case headset = 0x01
    /// The right bud.
    case right = 0x02
    /// The left bud.
    case left = 0x04
    /// The charging case.
    case `case` = 0x08
  }

  /// The state of a battery.
  public enum Status: Hashable, Sendable {
    /// Published numbers 1 and 2.
    case charging, discharging
    /// The part is not connected, so that its level means nothing; number 4.
    case disconnected
    /// Any other number, for example 5 (in use).
    case other(UInt8)

    init(_ raw: UInt8) {
      switch raw {
      case 1: self = .charging
      case 2: self = .discharging
      case 4: self = .disconnected
      default: self = .other(raw)
      }
    }

    /// The published number.
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
    /// The part.
    public var component: Component
    /// The level in %, 0 to 100.
    public var level: UInt8
    /// The state.
    public var status: Status

    public init(_ component: Component, _ level: UInt8, _ status: Status) {
      self.component = component
      self.level = level
      self.status = status
    }
  }

  /// The batteries in the order of the packet, in which the first bud is the primary one.
  public var entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  /// Decodes the data after the opcode; unknown components are left out.
  ///
  /// A connected part above 100 % is left out, too.
  ///
  /// - Throws: ``/BluetoothCodec/MalformedBytes`` if it is truncated, or where every part is above
  ///   100 %.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP battery")
    let count = try reader.uint8()
    entries = []
    var mistake: MalformedBytes?
    for _ in 0..<count {
      let number = try reader.uint8()
      _ = try reader.uint8()
      let level = try reader.uint8()
      let status = Status(try reader.uint8())
      _ = try reader.uint8()
      // Unknown components are not shown.
      guard let component = Component(rawValue: number) else { continue }
      guard level <= 100 || status == .disconnected else {
        mistake = reader.malformed(.badValue(UInt64(level)), at: reader.offset - 3)
        continue
      }
      entries.append(Entry(component, level, status))
    }
    if entries.isEmpty, let mistake { throw mistake }
  }

  /// The data after the opcode.
  public func encoded() -> [UInt8] {
    [UInt8(clamping: entries.count)]
      + entries.flatMap { [$0.component.rawValue, 1, $0.level, $0.status.rawValue, 1] }
  }
}
