/// What a pairing asks the user (Core 5.4, Vol 3, Part H, 2.3.5).
public enum PairingRequest: Hashable, Sendable {
  /// Whether to pair at all: nothing can be compared ("Just Works").
  case consent
  /// Whether the headphone shows or announces the same number.
  case compare(Passkey)
  /// A number to type on the headphone, of which so many digits are entered; the only answer that
  /// counts is "no".
  case show(Passkey, entered: Int)
  /// The number that the headphone shows or announces.
  case enter
}

/// The user's answer.
public enum PairingAnswer: Hashable, Sendable {
  case yes
  case no
  /// The number that the user typed, to answer ``PairingRequest/enter``.
  case passkey(Passkey)
}

/// A number of six digits, as Passkey Entry and Numeric Comparison use it.
public struct Passkey: Hashable, Sendable {
  /// 0 to 999999.
  public let number: UInt32

  /// Nil above 999999.
  public init?(_ number: UInt32) {
    guard number <= 999_999 else { return nil }
    self.number = number
  }

  /// The lower six digits of any number, as pairing itself makes them.
  public init(truncating number: UInt32) { self.number = number % 1_000_000 }

  /// Reads exactly six digits.
  public init?(digits: some StringProtocol) {
    guard digits.utf8.count == 6, digits.utf8.allSatisfy((UInt8(ascii: "0")...57).contains),
      let number = UInt32(digits)
    else { return nil }
    self.number = number
  }
}

extension Passkey: CustomStringConvertible {
  /// Always six digits: "031415".
  public var description: String { String(String(1_000_000 + number).dropFirst()) }
}
