/// A question to the user (Core 5.4, Vol 3, Part H, 2.3.5; for PINs, Vol 3, Part C, 3.2.3).
public enum PairingRequest: Hashable, Sendable {
  /// Whether to pair at all, with nothing to compare (Just Works).
  case consent
  /// Whether the headphone shows or announces the same number (Numeric Comparison).
  case compare(Passkey)
  /// A number to type on the headphone, where `entered` digits have been typed (Passkey Entry).
  ///
  /// The only meaningful answer is ``PairingAnswer/no``.
  case show(Passkey, entered: Int)
  case enter
  case enterPIN
  /// A PIN to type on the headphone (legacy pairing); the only meaningful answer is no.
  case showPIN(PIN)
}

/// The user's answer to a ``PairingRequest``.
public enum PairingAnswer: Hashable, Sendable {
  case yes
  case no
  /// The number that the user typed, in answer to ``PairingRequest/enter``.
  case passkey(Passkey)
  /// The PIN that the user typed, in answer to ``PairingRequest/enterPIN``.
  case pin(PIN)
}

/// A number of six digits for Passkey Entry and Numeric Comparison.
public struct Passkey: Hashable, Sendable {
  /// The number, 0 to 999999.
  public let number: UInt32

  /// Creates a passkey from its number, or returns nil above 999999.
  public init?(_ number: UInt32) {
    guard number <= 999_999 else { return nil }
    self.number = number
  }

  /// Creates a passkey from the lower six decimal digits of a number, as pairing does.
  public init(truncating number: UInt32) { self.number = number % 1_000_000 }

  /// Parses exactly six ASCII digits, or returns nil for anything else.
  public init?(digits: some StringProtocol) {
    guard digits.utf8.count == 6, digits.utf8.allSatisfy((UInt8(ascii: "0")...57).contains),
      let number = UInt32(digits)
    else { return nil }
    self.number = number
  }
}

extension Passkey: CustomStringConvertible {
  public var description: String { String(String(1_000_000 + number).dropFirst()) }
}

/// The PIN of legacy pairing, for devices before Bluetooth 2.1 (Core 5.4, Vol 3, Part C, 3.2.3).
public struct PIN: Hashable, Sendable {
  /// The PIN of most headphones.
  public static let usual = PIN(unchecked: "0000")

  /// The characters: 1 to 16 bytes of UTF-8.
  public let text: String

  /// Creates a PIN, or returns nil if it is empty, above 16 bytes or has control characters.
  public init?(_ text: some StringProtocol) {
    guard (1...16).contains(text.utf8.count),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { return nil }
    self.init(unchecked: String(text))
  }

  private init(unchecked text: String) { self.text = text }
}

extension PIN: CustomStringConvertible {
  public var description: String { text }
}
