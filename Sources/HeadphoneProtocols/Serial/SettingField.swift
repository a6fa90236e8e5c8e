/// A setting that is some bits of one byte of a message: a row of a family's table.
///
/// ```swift
/// let wind = SettingField(declaration, at: 4, mask: 0x01)
/// wind.value(in: [0, 0x30, 1, 0, 1, 0])  // .toggle(true)
/// ```
struct SettingField: Sendable {
  var declaration: SettingDeclaration
  /// The offset of the byte.
  private let place: Int
  private let mask: UInt8
  /// The values by their number, without the zeros below the mask.
  private let values: [UInt8: SettingValue]

  /// A field of some bits of a byte.
  ///
  /// - Parameters:
  ///   - mask: the bits of the byte; all others stay in a command.
  ///   - values: the values by their numbers; nil: the number of a choice is its index, and that of a
  ///     level the level.
  init(
    _ declaration: SettingDeclaration, at place: Int, mask: UInt8 = 0xFF,
    values: [UInt8: SettingValue]? = nil
  ) {
    self.declaration = declaration
    self.place = place
    self.mask = mask
    let numbered: [(UInt8, SettingValue)] =
      switch declaration.kind {
      case .level(let range): range.bounds.map { (UInt8(clamping: $0), .level($0)) }
      case .choice(let choices):
        choices.enumerated().map { (UInt8(clamping: $0), .choice($1.id)) }
      default: [(0, .toggle(false)), (1, .toggle(true))]
      }
    self.values = values ?? Dictionary(uniqueKeysWithValues: numbered)
  }

  /// The value in a message; nil: the message ends before it, or it has none that is known.
  func value(in bytes: [UInt8]) -> SettingValue? {
    number(in: bytes).flatMap { values[$0] }
  }

  /// Returns the number of the value in a message, or nil if the message ends before it.
  func number(in bytes: [UInt8]) -> UInt8? {
    place < bytes.count ? (bytes[place] & mask) >> mask.trailingZeroBitCount : nil
  }

  /// The message with another value; nil: it has no such value, or the message no such byte.
  func bytes(of value: SettingValue, in bytes: [UInt8]) -> [UInt8]? {
    guard place < bytes.count, let number = values.first(where: { $0.value == value })?.key else {
      return nil
    }
    var changed = bytes
    changed[place] = bytes[place] & ~mask | number << mask.trailingZeroBitCount
    return changed
  }
}
