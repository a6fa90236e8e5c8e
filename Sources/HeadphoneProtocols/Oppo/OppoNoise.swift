/// The noise control values of a product.
///
/// They differ between products: 0x04 is transparency on one and a strength of cancelling on
/// another. A product without a table therefore has no noise control. Each value is one bit.
///
/// | table | off | cancelling (smart, mild, middle, deep) | transparency | adaptive |
/// | --- | --- | --- | --- | --- |
/// | `realme` | 01 | 20, 04, 10, 08 | 02 | |
/// | `layered`, `threeStrengths` | 01 / 08 | 02, or 80, 40, 20, 10 | 04 / 0100, 0200 | |
/// | `adaptive` | as `layered` | as `layered` | as `layered` | 00 08 / 0800, 8000 |
/// | `simple` | 02 | 01 | 04 / 08 | |
/// | `twoStrengths`, `budsPro` | 01 | 10, 04, none, 08 | 02 | |
///
/// Values before a slash are sent and reported, those after it only reported. In the row of
/// `layered`, 02 is cancelling at a strength that the buds choose. All numbers except Realme's are
/// from the maker's own table, which two projects contain. Recordings confirm those of Enco Air3
/// Pro without the strengths, all that OnePlus Buds 4 reports, all of Buds Pro 2, and all of Buds
/// Pro except smart.
struct OppoNoise: Hashable, Sendable {
  struct Value: Hashable, Sendable {
    var mode: ANCMode
    var strength: String?
    var command: [UInt8]
    /// The reported value, low byte first.
    var report: UInt16
  }

  private static let allStrengths = ["smart", "mild", "middle", "deep"]

  /// The states; the first state of a mode is used if no strength is requested.
  let values: [Value]

  var strengths: [String] {
    Self.allStrengths.filter { name in values.contains { $0.strength == name } }
  }

  static let realme = OppoNoise(
    off: 0x01, cancelling: ["smart": 0x20, "mild": 0x04, "middle": 0x10, "deep": 0x08],
    transparency: 0x02)
  /// The table with four strengths, and 02 for a strength that the buds choose.
  static let layered = OppoNoise(layered: [
    "smart": 0x80, "mild": 0x40, "middle": 0x20, "deep": 0x10,
  ])
  static let threeStrengths = OppoNoise(layered: ["smart": 0x80, "mild": 0x40, "deep": 0x10])
  static let adaptive = OppoNoise(
    values: layered.values
      + [0x0800, 0x8000].map { Value(mode: .adaptive, command: [0x00, 0x08], report: $0) })
  static let simple = OppoNoise(
    values: [
      Value(mode: .off, command: [0x02], report: 0x0002),
      Value(mode: .noiseCancelling, command: [0x01], report: 0x0001),
      Value(mode: .transparency, command: [0x04], report: 0x0004),
      // Transparency with a focus on voices.
      Value(mode: .transparency, command: [0x04], report: 0x0008),
    ])
  /// The table of OnePlus Buds Pro; deep cancelling is first because it was tested.
  static let budsPro = OppoNoise(
    off: 0x01, cancelling: ["deep": 0x08, "mild": 0x04, "smart": 0x10], transparency: 0x02)
  static let twoStrengths = OppoNoise(
    off: 0x01, cancelling: ["deep": 0x08, "mild": 0x04], transparency: 0x02)

  private init(values: [Value]) { self.values = values }

  private init(
    off: UInt8, cancelling: KeyValuePairs<String, UInt8>, transparency: UInt8
  ) {
    values =
      [Value(mode: .off, command: [off], report: UInt16(off))]
      + cancelling.map {
        Value(mode: .noiseCancelling, strength: $0, command: [$1], report: UInt16($1))
      } + [Value(mode: .transparency, command: [transparency], report: UInt16(transparency))]
  }

  private init(layered strengths: KeyValuePairs<String, UInt8>) {
    values =
      [Value(mode: .noiseCancelling, command: [0x02], report: 0x0002)]
      + OppoNoise(off: 0x01, cancelling: strengths, transparency: 0x04).values + [
        Value(mode: .off, command: [0x01], report: 0x0008),
        Value(mode: .transparency, command: [0x04], report: 0x0100),
        Value(mode: .transparency, command: [0x04], report: 0x0200),
      ]
  }
}
