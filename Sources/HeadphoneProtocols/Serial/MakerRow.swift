internal import BluetoothCodec

/// A question of a maker's protocol, the values in its answer, and the command that sets one of them:
/// a row of the maker's table.
///
/// ```swift
/// // Asks with 5F; 0, 1 or 3 comes back, and is sent with 5E.
/// MakerRow(0x5F, [.noise([0: .off, 1: .noiseCancelling, 3: .transparency])], set: 0x5E)
/// ```
struct MakerRow: Sendable {
  /// The number of the question, which its answer repeats.
  let question: UInt16
  /// The payload of the question.
  let asked: [UInt8]
  /// The bytes in front of the values, in answers and commands.
  let prefix: [UInt8]
  /// The values of the answer, in order.
  let fields: [MakerField]
  /// The number of the command, or nil if the values are read only.
  let command: UInt16?
  /// The byte that leaves another setting of the row as it is, or nil if there is none.
  let unchanged: UInt8?

  init(
    _ question: UInt16, asking asked: [UInt8] = [], prefix: [UInt8] = [], _ fields: [MakerField],
    set command: UInt16? = nil, unchanged: UInt8? = nil
  ) {
    (self.question, self.asked, self.prefix) = (question, asked, prefix)
    (self.fields, self.command, self.unchanged) = (fields, command, unchanged)
  }

  /// Returns the payload of the command, or nil if it is for something else, there is no such value, or
  /// too little is known.
  ///
  /// - Parameter kept: the bytes of the last answer that a command repeats.
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

  /// The bytes of an answer behind ``prefix``, or nil if answers differ in length.
  var width: Int? {
    let widths = fields.compactMap(\.width)
    return widths.count == fields.count ? widths.reduce(0, +) : nil
  }
}

/// A value in an answer of a maker's table.
enum MakerField: Sendable {
  /// So many bytes without a meaning here.
  case skip(Int)
  /// Numbers of so many bytes each, high byte first.
  case firmware(Int, width: Int = 1)
  /// The name of the model, to the end.
  case model
  /// A level in percent; `absent` stands for a part that is not there, and `hasChargingBit` says that
  /// bit 7 is no part of the level.
  case battery(Part, absent: UInt8? = nil, hasChargingBit: Bool = false)
  /// Whether the parts before charge: a bit for each of left, right and case.
  case charging
  /// The mode of noise control by its number; of several numbers of a mode the lowest is sent.
  case noise([UInt8: ANCMode])
  /// The same where no model can have another number.
  case wholeNoise([UInt8: ANCMode])
  case setting(NumberedSetting)
  /// A byte that a command for the row repeats.
  case kept(ClosedRange<UInt8>)
  /// The bytes to the end, which a command for the row repeats.
  case keptRest
  /// What a maker reads in its own way.
  case custom(
    @Sendable (inout ByteReader, inout ReportedValues) throws(MalformedBytes) -> Void)

  /// Returns the bytes that carry a command out, or nil if it is none for this value.
  fileprivate func bytes(for command: HeadphoneCommand) -> [UInt8]? {
    switch (self, command) {
    case (.noise(let modes), .setANC(let mode)), (.wholeNoise(let modes), .setANC(let mode)):
      modes.filter { $0.value == mode }.keys.min().map { [$0] }
    case (.setting(let setting), .set(let id, let value)) where setting.declaration.id == id:
      setting.bytes(of: value)
    default: nil
    }
  }

  /// Nil: it differs.
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
