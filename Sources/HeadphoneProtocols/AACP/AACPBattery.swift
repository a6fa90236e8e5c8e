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
    /// An over-ear headphone, which has one battery.
    case headset = 0x01
    case right = 0x02
    case left = 0x04
    case `case` = 0x08
  }

  /// The state of a battery, by its published number.
  public enum Status: Hashable, Sendable {
    case charging, discharging
    /// Not connected: the level is meaningless.
    case disconnected
    /// Charging is paused at 80 % for a while.
    case chargingOptimised
    /// Any other number.
    case other(UInt8)

    init(_ raw: UInt8) {
      switch raw {
      case 1: self = .charging
      case 2: self = .discharging
      case 4: self = .disconnected
      case 5: self = .chargingOptimised
      default: self = .other(raw)
      }
    }

    package var rawValue: UInt8 {
      switch self {
      case .charging: 1
      case .discharging: 2
      case .disconnected: 4
      case .chargingOptimised: 5
      case .other(let raw): raw
      }
    }
  }

  /// The battery of one part.
  public struct Entry: Hashable, Sendable {
    public var component: Component
    /// The level in %; invalid above 100, for example after the case is closed.
    public var level: UInt8
    public var status: Status

    public init(_ component: Component, _ level: UInt8, _ status: Status) {
      self.component = component
      self.level = level
      self.status = status
    }

    var battery: Battery? {
      guard level <= 100, status != .disconnected else { return nil }
      return Battery(
        level: level, isCharging: status == .charging || status == .chargingOptimised)
    }
  }

  /// The batteries in the order of the packet.
  public var entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  /// Decodes the data after the opcode, and skips unknown components.
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
      guard let component = Component(rawValue: number) else { continue }
      entries.append(Entry(component, level, status))
    }
  }
}
