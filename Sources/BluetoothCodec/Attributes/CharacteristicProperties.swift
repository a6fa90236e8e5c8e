/// The properties in a characteristic's declaration (Core 5.4, Vol 3, Part G, 3.3.1.1).
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let broadcast = CharacteristicProperties(rawValue: 1 << 0)
  public static let read = CharacteristicProperties(rawValue: 1 << 1)
  public static let writeWithoutResponse = CharacteristicProperties(rawValue: 1 << 2)
  public static let write = CharacteristicProperties(rawValue: 1 << 3)
  public static let notify = CharacteristicProperties(rawValue: 1 << 4)
  public static let indicate = CharacteristicProperties(rawValue: 1 << 5)
  /// The value can be written with a signature instead of encryption, which the client does not do.
  public static let authenticatedSignedWrites = CharacteristicProperties(rawValue: 1 << 6)
  /// More properties are in the Characteristic Extended Properties descriptor (2900).
  public static let extended = CharacteristicProperties(rawValue: 1 << 7)
}

extension CharacteristicProperties: CustomStringConvertible {
  /// The specification's names in bit order.
  public var names: [String] {
    let all: [(CharacteristicProperties, String)] = [
      (.broadcast, "broadcast"), (.read, "read"),
      (.writeWithoutResponse, "write without response"), (.write, "write"),
      (.notify, "notify"), (.indicate, "indicate"),
      (.authenticatedSignedWrites, "signed write"), (.extended, "extended properties"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }

  public var description: String { names.joined(separator: ", ") }
}
