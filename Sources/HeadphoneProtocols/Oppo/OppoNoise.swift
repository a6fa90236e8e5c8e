/// The values of noise control of one product of Oppo's, Realme's or OnePlus's.
///
/// They differ among products: the same number cancels on one and lets through on another.
struct OppoNoise: Hashable, Sendable {
  /// A value of the product.
  struct Value: Hashable, Sendable {
    var mode: ANCMode
    /// Of cancelling: ``OppoNoise/strengths``; nil: it has one.
    var strength: String?
    /// As it is ordered.
    var order: [UInt8]
    /// As it is reported, the first byte low.
    var report: UInt16
  }

  static let strengths = ["smart", "mild", "middle", "deep"]

  /// In the order of the modes; of cancelling, the first is what a mode without strength means.
  var values: [Value]

  /// - Parameter product: as the headphone reports it; of others the values are not known.
  init?(product: UInt32) {
    switch product {
    // Enco Air3 Pro.
    case 0x065C10:
      values = [
        Value(mode: .off, order: [0x01], report: 0x0008),
        Value(mode: .noiseCancelling, order: [0x02], report: 0x0010),
        Value(mode: .transparency, order: [0x04], report: 0x0100),
      ]
    // Realme Buds Air 7, Air 7 Pro, Wireless 5 ANC.
    case 0x064812, 0x064C12, 0x051412:
      values = Self.values(off: 0x01, cancelling: [0x20, 0x04, 0x10, 0x08], transparency: 0x02)
    // OnePlus Buds 4.
    case 0x065414:
      values =
        Self.values(off: 0x01, cancelling: [0x80, 0x40, 0x20, 0x10], transparency: 0x04)
        + [Value(mode: .adaptive, order: [0x00, 0x80], report: 0x8000)]
    default: return nil
    }
  }

  private static func values(
    off: UInt8, cancelling: [UInt8], transparency: UInt8
  ) -> [Value] {
    [Value(mode: .off, order: [off], report: UInt16(off))]
      + zip(strengths, cancelling).map {
        Value(mode: .noiseCancelling, strength: $0, order: [$1], report: UInt16($1))
      } + [Value(mode: .transparency, order: [transparency], report: UInt16(transparency))]
  }
}
