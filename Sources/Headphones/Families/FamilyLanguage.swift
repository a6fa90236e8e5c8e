public import GATT

/// A language that is spoken over two characteristics of GATT; ``FamilyDriver`` speaks it.
public protocol FamilyLanguage: HeadphoneLanguage {
  /// Where it is spoken among a headphone's attributes; nil: this is none of the family.
  static func channel(in database: Database) -> FamilyChannel?

  init()
}

/// The characteristics on which a family's language is spoken.
public struct FamilyChannel: Hashable, Sendable {
  /// Orders and questions are written here.
  public var write: Characteristic
  /// Answers and news come here.
  public var notify: Characteristic

  /// Nil where either cannot do its part.
  public init?(write: Characteristic?, notify: Characteristic?) {
    guard let write, let notify,
      !write.properties.isDisjoint(with: [.write, .writeWithoutResponse]),
      !notify.properties.isDisjoint(with: [.notify, .indicate])
    else { return nil }
    self.write = write
    self.notify = notify
  }
}
