struct HuaweiModel: Hashable, Sendable {
  var name: String
  var hasTransparency = true

  private init(_ name: String, hasTransparency: Bool = true) {
    (self.name, self.hasTransparency) = (name, hasTransparency)
  }

  /// Creates the model from its product number, else from its code, or fails if it is unknown.
  ///
  /// - Parameters:
  ///   - submodel: the code and product number, such as "BTFT0016-000147".
  ///   - code: the code alone, which several models share.
  init?(submodel: String, code: String) {
    let number = submodel.split(separator: "-").last.flatMap { UInt32($0, radix: 16) }
    guard let model = number.flatMap({ Self.products[$0] }) ?? Self.codes[code] else { return nil }
    self = model
  }

  /// The models by product number, from another project's list; that of FreeBuds SE 2 is recorded.
  static let products: [UInt32: HuaweiModel] = [
    0x00_0027: HuaweiModel("FreeBuds 3"), 0x00_003B: HuaweiModel("FreeBuds Studio"),
    0x00_003C: HuaweiModel("FreeBuds Pro"), 0x00_0117: HuaweiModel("FreeLace Pro"),
    0x00_0124: HuaweiModel("FreeBuds 4i"),
    0x00_0129: HuaweiModel("FreeBuds 4", hasTransparency: false),
    0x00_012B: HuaweiModel("FreeBuds SE"), 0x00_013D: HuaweiModel("FreeBuds 5i"),
    0x00_0141: HuaweiModel("FreeBuds 5"), 0x00_0145: HuaweiModel("FreeBuds 5i"),
    0x00_0147: HuaweiModel("FreeBuds SE 2"), 0x00_0149: HuaweiModel("FreeBuds Pro 3"),
    0x00_014B: HuaweiModel("FreeClip"), 0x00_014D: HuaweiModel("FreeLace Pro 2"),
    0x00_0153: HuaweiModel("FreeBuds 6i"), 0x00_0157: HuaweiModel("FreeBuds Pro 4"),
    0x00_0161: HuaweiModel("FreeBuds 6"), 0x00_0163: HuaweiModel("FreeBuds 7i"),
    0x00_0167: HuaweiModel("FreeClip 2"), 0x00_0169: HuaweiModel("FreeBuds SE 4 ANC"),
    0x00_016B: HuaweiModel("FreeBuds Pro 5"), 0x00_016D: HuaweiModel("FreeBuds Pro 5"),
  ]

  /// The models by code, from headphones that users of other projects have.
  static let codes: [String: HuaweiModel] = [
    "BTFT0001": HuaweiModel("FreeBuds 4i"), "BTFT0006": HuaweiModel("FreeBuds Pro 2"),
    "BTFT0013": HuaweiModel("FreeBuds 5"), "BTFT0014": HuaweiModel("FreeBuds 5i"),
    "BTFT0016": HuaweiModel("FreeBuds SE 2"), "BTFT0018": HuaweiModel("FreeBuds Pro 3"),
    "BTFT0020": HuaweiModel("FreeBuds 6"), "BTFT0026": HuaweiModel("FreeBuds SE 4 ANC"),
    "BTFT0027": HuaweiModel("FreeClip 2"), "BTV-ME10": HuaweiModel("Honor X5s Pro"),
  ]
}
