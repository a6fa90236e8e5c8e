package import BluetoothCodec

/// A row of a maker's table: a request, the values in its answer, and the command that sets one of
/// them.
///
/// ```swift
/// // 5F requests the mode, which is 0, 1 or 3, and 5E sets it.
/// MakerRow(0x5F, [.noise([0: .off, 1: .noiseCancelling, 3: .transparency])], set: 0x5E)
/// ```
package struct MakerRow: Sendable {
  /// The number of the request, which its answer repeats.
  package let question: UInt16
  let asked: [UInt8]
  /// Whether the request is sent; otherwise the values are only received as reports.
  let isAsked: Bool
  /// The bytes before the values, in answers and commands.
  package let prefix: [UInt8]
  package let fields: [MakerField]
  /// The number of the command, or nil if the values are read-only.
  let command: UInt16?
  /// The byte in a command that leaves another setting of the row unchanged, or nil.
  let unchanged: UInt8?

  package init(
    _ question: UInt16, asking asked: [UInt8] = [], isAsked: Bool = true, prefix: [UInt8] = [],
    _ fields: [MakerField], set command: UInt16? = nil, unchanged: UInt8? = nil
  ) {
    (self.question, self.asked, self.isAsked, self.prefix) = (question, asked, isAsked, prefix)
    (self.fields, self.command, self.unchanged) = (fields, command, unchanged)
  }

  /// Returns the payload that carries a command out, or nil if the row does not have its value or
  /// `kept`, the bytes of the last answer to repeat, is too short.
  func payload(for command: HeadphoneCommand, keeping kept: [UInt8]) -> [UInt8]? {
    let fewest = fields.count(where: { if case .kept = $0 { true } else { false } })
    guard self.command != nil, kept.count >= fewest,
      fields.contains(where: { $0.bytes(for: command) != nil })
    else { return nil }
    let values = fields.flatMap { field -> [UInt8] in
      if let bytes = field.bytes(for: command) { return bytes }
      if case .setting = field, let unchanged { return [unchanged] }
      return []
    }
    return prefix + values + kept
  }

  var width: Int? {
    let widths = fields.compactMap(\.width)
    return widths.count == fields.count ? widths.reduce(0, +) : nil
  }
}

package enum MakerField: Sendable {
  case skip(Int)
  /// A version of so many numbers, each `width` bytes, high byte first.
  case firmware(Int, width: Int = 1)
  /// The name of the model, up to the end.
  case model
  /// A battery level in %, or `absent` for a missing part; with `hasChargingBit`, bit 7 is not part
  /// of the level.
  case battery(Part, absent: UInt8? = nil, hasChargingBit: Bool = false)
  /// Whether the parts before this field are charging: bit 0 left, bit 1 right, bit 2 case.
  case charging
  /// The mode of noise control by its number; of several numbers for a mode, the lowest is sent.
  case noise([UInt8: ANCMode])
  /// The mode of noise control, where any other number is invalid on every model.
  case wholeNoise([UInt8: ANCMode])
  case setting(NumberedSetting)
  /// A byte that a command for the row repeats.
  case kept(ClosedRange<UInt8>)
  /// All bytes up to the end, which a command for the row repeats.
  case keptRest
  case custom(
    @Sendable (inout ByteReader, inout ReportedValues) throws(MalformedBytes) -> Void)

  fileprivate func bytes(for command: HeadphoneCommand) -> [UInt8]? {
    switch (self, command) {
    case (.noise(let modes), .setANC(let mode)), (.wholeNoise(let modes), .setANC(let mode)):
      modes.filter { $0.value == mode }.keys.min().map { [$0] }
    case (.setting(let setting), .set(let id, let value)) where setting.declaration.id == id:
      setting.bytes(of: value)
    default: nil
    }
  }

  fileprivate var width: Int? {
    switch self {
    case .skip(let count): count
    case .firmware(let count, let width): count * width
    case .battery, .charging, .noise, .wholeNoise, .kept: 1
    case .setting(let setting):
      setting.widths.count == 1 ? setting.widths.upperBound : nil
    case .model, .keptRest, .custom: nil
    }
  }
}
