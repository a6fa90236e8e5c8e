/// The table of noise control of one product.
///
/// The numbers differ among products: 0x04 is transparency on one and a strength of cancelling on
/// another. That is why a product without a table is given no noise control.
///
/// | models | off | cancelling (smart, mild, middle, deep) | transparency | adaptive |
/// | --- | --- | --- | --- | --- |
/// | Realme Buds Air 7, 7 Pro, Wireless 5 | 01 | 20, 04, 10, 08 | 02 | |
/// | `layered` and `adaptive` below | 01 / 08 | 02, or 80, 40, 20, 10 | 04 / 0100, 0200 | 00 08 / 0800 |
///
/// Of values with a slash, those before it are sent and those behind it are reported; 02 is cancelling
/// of the strength that was set last. The numbers of the second row are the maker's own table, which
/// two projects carry. Those of Enco Air3 Pro but for the strengths, and all that Buds 4 reports, were
/// recorded as well. Buds 4 may report the numbers before the slash, too, by one project.
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
  static let products: [UInt32: [Value]] = Dictionary(
    uniqueKeysWithValues: [
      (realmeProducts, realme), (layeredProducts, layered), (adaptiveProducts, layered + adaptive),
    ].flatMap { products, values in products.map { ($0, values) } })

  /// Realme Buds Air 7, Air 7 Pro, Wireless 5 ANC.
  private static let realmeProducts: [UInt32] = [0x064812, 0x064C12, 0x051412]
  /// OnePlus Buds Pro 2 in three editions, Buds 3, Buds Pro 3, Nord Buds 3 Pro, Buds Ace 3, Nord
  /// Buds 4 Pro and 4; Enco X2, Air3 Pro, Free3, X3i, X3, Air4 Pro, R3 Pro, Air5 Pro and Air5.
  private static let layeredProducts: [UInt32] = [
    0x062014, 0x063014, 0x063414, 0x063C14, 0x064014, 0x064414, 0x066414, 0x066814, 0x067014,
    0x063C10, 0x065C10, 0x066010, 0x066810, 0x067410, 0x067C10, 0x069C10, 0x06C410, 0x06D810,
  ]
  /// OnePlus Buds 4; Enco Free4 in two editions, X3s.
  private static let adaptiveProducts: [UInt32] = [0x065414, 0x068C10, 0x06C010, 0x06BC10]

  private static let layered =
    [Value(mode: .noiseCancelling, command: [0x02], report: 0x0002)]
    + values(off: 0x01, cancelling: [0x80, 0x40, 0x20, 0x10], transparency: 0x04) + [
      Value(mode: .off, command: [0x01], report: 0x0008),
      Value(mode: .transparency, command: [0x04], report: 0x0100),
      Value(mode: .transparency, command: [0x04], report: 0x0200),
    ]
  private static let adaptive = [0x0800, 0x8000].map {
    Value(mode: .adaptive, command: [0x00, 0x08], report: $0)
  }
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
