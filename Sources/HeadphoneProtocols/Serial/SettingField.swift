/// A setting that is stored in some bits of one byte of a message.
struct SettingField: Sendable {
  var declaration: SettingDeclaration
  private let place: Int
  private let mask: UInt8
  /// The values by the number in the masked bits, shifted down to bit 0.
  private let values: [UInt8: SettingValue]

  /// Creates a setting in some bits of a byte.
  ///
  /// - Parameters:
  ///   - mask: the bits of the setting; a command keeps all others.
  ///   - values: the values by their numbers. By default, the number of a choice is its index, that
  ///     of a level is the level, and that of a switch is 0 or 1.
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

  func value(in bytes: [UInt8]) -> SettingValue? {
    number(in: bytes).flatMap { values[$0] }
  }

  func number(in bytes: [UInt8]) -> UInt8? {
    place < bytes.count ? (bytes[place] & mask) >> mask.trailingZeroBitCount : nil
  }

  func bytes(of value: SettingValue, in bytes: [UInt8]) -> [UInt8]? {
    guard place < bytes.count, let number = values.first(where: { $0.value == value })?.key else {
      return nil
    }
    var changed = bytes
    changed[place] = bytes[place] & ~mask | number << mask.trailingZeroBitCount
    return changed
  }
}
