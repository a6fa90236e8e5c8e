/// The table of noise control of one product.
///
/// The numbers differ among products: 0x04 is transparency on one and a strength of cancelling on
/// another. That is why a product without a table is given no noise control.
///
/// | product | models | off | cancelling (smart, mild, middle, deep) | transparency | adaptive |
/// | --- | --- | --- | --- | --- | --- |
/// | 065C10 | Enco Air3 Pro | 01 / 08 | 02 / 10 | 04 / 0100 | |
/// | 064812, 064C12, 051412 | Realme Buds Air 7, 7 Pro, Wireless 5 | 01 | 20, 04, 10, 08 | 02 | |
/// | 065414 | OnePlus Buds 4 | 01 / 01, 08 | 80, 40, 20, 10 | 04 / 04, 0100, 0200 | 00 08 / 0800, 8000 |
///
/// Of values with a slash, those before it are sent and those behind it are reported. Of Buds 4
/// one project has the numbers below 08 in reports, and two others have captures of the higher ones.
struct OppoNoise: Hashable, Sendable {
  /// One state of noise control: how it is ordered, and how it is reported.
  struct Value: Hashable, Sendable {
    /// The mode that it is.
    var mode: ANCMode
    /// The strength of cancelling, of ``OppoNoise/strengths``; nil: the product has one only.
    var strength: String?
    /// The bytes of the command.
    var command: [UInt8]
    /// The value of the report, low byte first.
    var report: UInt16
  }

  /// The names of the strengths, in the order of the tables.
  static let strengths = ["smart", "mild", "middle", "deep"]

  /// The states in the order of the modes; of cancelling, the first stands for the mode without a
  /// strength.
  var values: [Value]

  /// The table of a product; nil: its values are not known.
  ///
  /// - Parameter product: three bytes as the headphone reports them, low byte first.
  init?(product: UInt32) {
    guard let values = Self.products[product] else { return nil }
    self.values = values
  }

  /// The tables by their products.
  static let products: [UInt32: [Value]] = [
    // Enco Air3 Pro.
    0x065C10: [
      Value(mode: .off, command: [0x01], report: 0x0008),
      Value(mode: .noiseCancelling, command: [0x02], report: 0x0010),
      Value(mode: .transparency, command: [0x04], report: 0x0100),
    ],
    // Realme Buds Air 7, Air 7 Pro, Wireless 5 ANC.
    0x064812: realme, 0x064C12: realme, 0x051412: realme,
    // OnePlus Buds 4.
    0x065414: values(off: 0x01, cancelling: [0x80, 0x40, 0x20, 0x10], transparency: 0x04) + [
      Value(mode: .off, command: [0x01], report: 0x0008),
      Value(mode: .transparency, command: [0x04], report: 0x0100),
      Value(mode: .transparency, command: [0x04], report: 0x0200),
      Value(mode: .adaptive, command: [0x00, 0x08], report: 0x0800),
      Value(mode: .adaptive, command: [0x00, 0x08], report: 0x8000),
    ],
  ]
  private static let realme = values(
    off: 0x01, cancelling: [0x20, 0x04, 0x10, 0x08], transparency: 0x02)

  /// The table of a product whose numbers are the same in commands and reports.
  private static func values(
    off: UInt8, cancelling: [UInt8], transparency: UInt8
  ) -> [Value] {
    [Value(mode: .off, command: [off], report: UInt16(off))]
      + zip(strengths, cancelling).map {
        Value(mode: .noiseCancelling, strength: $0, command: [$1], report: UInt16($1))
      } + [Value(mode: .transparency, command: [transparency], report: UInt16(transparency))]
  }
}
