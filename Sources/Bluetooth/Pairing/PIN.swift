/// The PIN of legacy pairing, for devices older than Bluetooth 2.1 (Core 5.4, Vol 3, Part C, 3.2.3).
///
/// ```swift
/// print(PIN("4711") == nil)  // false
/// print(PIN("") == nil)  // true
/// ```
public struct PIN: Hashable, Sendable {
  /// The PIN of most headphones.
  public static let usual = PIN(unchecked: "0000")

  /// The characters, 1 to 16 bytes of UTF-8.
  public let text: String

  /// A PIN from its characters; `nil` for none, for control characters, and above 16 bytes.
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
