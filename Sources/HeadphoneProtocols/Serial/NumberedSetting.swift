internal import BluetoothCodec

/// A setting whose values are encoded as numbers in answers and commands.
package struct NumberedSetting: Sendable {
  package let declaration: SettingDeclaration
  /// The values and their numbers; if a value has several numbers, the first is sent.
  let values: [(value: SettingValue, number: UInt16)]
  /// The minimum and maximum width of a number in bytes, high byte first; commands use the maximum.
  let widths: ClosedRange<Int>
  /// The divisor of the number that is displayed for an unnamed choice.
  private let unit: UInt16

  package init(
    _ declaration: SettingDeclaration, _ values: [(SettingValue, UInt16)],
    widths: ClosedRange<Int> = 1...1, unit: UInt16 = 1
  ) {
    self.declaration = declaration
    self.values = values.map { (value: $0, number: $1) }
    (self.widths, self.unit) = (widths, unit)
  }

  /// Returns a switch; the numbers in `others` also mean off in answers.
  static func toggle(
    _ id: SettingID, off: UInt16 = 0, orOff others: ClosedRange<UInt16>? = nil, on: UInt16 = 1
  ) -> NumberedSetting {
    let offs = [off] + (others.map(Array.init) ?? []).filter { $0 != on }
    return NumberedSetting(
      SettingDeclaration(id), [(.toggle(true), on)] + offs.map { (.toggle(false), $0) })
  }

  /// Returns a choice whose numbers are the indices of its names.
  static func choice(_ id: SettingID, _ names: [String]) -> NumberedSetting {
    choice(id, names.enumerated().map { ($1, UInt16($0)) })
  }

  static func choice(
    _ id: SettingID, _ values: [(name: String, number: UInt16)], modes: [ANCMode]? = nil,
    widths: ClosedRange<Int> = 1...1, unit: UInt16 = 1
  ) -> NumberedSetting {
    NumberedSetting(
      SettingDeclaration(id, .choices(values.map(\.name)), modes: modes),
      values.map { (.choice($0.name), $0.number) }, widths: widths, unit: unit)
  }

  static func level(_ id: SettingID, _ range: SettingRange) -> NumberedSetting {
    NumberedSetting(
      SettingDeclaration(id, .level(range)), range.bounds.map { (.level($0), UInt16($0)) })
  }

  func bytes(of value: SettingValue) -> [UInt8]? {
    values.first { $0.value == value }.map { _, number in
      let bytes = [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
      return bytes.suffix(widths.upperBound)
    }
  }

  /// Applies the value whose number is next; an unnamed choice keeps its number, other ones throw.
  func apply(
    _ reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let width = min(max(reader.remaining, widths.lowerBound), widths.upperBound)
    let number = try reader.read(width).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
    if let value = values.first(where: { $0.number == number })?.value {
      reported.apply(declaration, value)
    } else if case .choice = declaration.kind {
      reported.apply(declaration, unnamed: UInt8(clamping: number / unit))
    } else {
      reported.reject(
        reader.malformed(.badValue(UInt64(number)), at: reader.offset - width))
    }
  }
}
