internal import BluetoothCodec

/// A kind of AirPods or Beats, by the number in its advertisement.
public struct AppleModel: Hashable, Sendable {
  /// What of it has a battery.
  public enum Shape: Hashable, Sendable { case budsWithCase, buds, headband }

  /// "AirPods Pro"; the number where it is not known.
  public var name: String
  public var shape: Shape

  public init(_ number: UInt16) {
    guard let known = Self.known[number] else {
      name = "Apple or Beats 0x\(hexadecimal(number, width: 4))"
      shape = .budsWithCase
      return
    }
    (name, shape) = known
  }

  private static let known: [UInt16: (String, Shape)] = [
    0x2002: ("AirPods", .budsWithCase),
    0x200F: ("AirPods (2nd generation)", .budsWithCase),
    0x2013: ("AirPods (3rd generation)", .budsWithCase),
    0x2019: ("AirPods 4", .budsWithCase),
    0x201B: ("AirPods 4 (ANC)", .budsWithCase),
    0x200E: ("AirPods Pro", .budsWithCase),
    0x2014: ("AirPods Pro 2", .budsWithCase),
    0x2024: ("AirPods Pro 2 (USB-C)", .budsWithCase),
    0x200A: ("AirPods Max", .headband),
    0x201F: ("AirPods Max (USB-C)", .headband),
    0x2003: ("Powerbeats3", .headband),
    0x2005: ("BeatsX", .headband),
    0x2006: ("Beats Solo3", .headband),
    0x2009: ("Beats Studio3", .headband),
    0x200B: ("Powerbeats Pro", .budsWithCase),
    0x200C: ("Beats Solo Pro", .headband),
    0x2010: ("Beats Flex", .headband),
    0x2011: ("Beats Studio Buds", .budsWithCase),
    0x2012: ("Beats Fit Pro", .budsWithCase),
    0x2016: ("Beats Studio Buds+", .budsWithCase),
    0x2017: ("Beats Studio Pro", .headband),
    // Its case has no battery.
    0x2026: ("Beats Solo Buds", .buds),
  ]
}
