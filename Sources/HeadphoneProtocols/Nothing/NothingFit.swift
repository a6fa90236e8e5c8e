internal import BluetoothCodec

/// How well the tips of both buds seal, as they report it a few seconds after they were told to try
/// (E00D).
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | left | 0 good, 1 poor, 2 the bud is not in the ear |
/// | 1 | right | the same |
///
/// Published by radiance-project/ear-web and sinanalizz123-max/nothing-buds.
enum NothingFit {
  /// The declaration of the test, which models with a known serial number have.
  static let test = SettingDeclaration("fit-test", .action)

  private static let results = ["good", "poor", "not in the ear"]

  /// Applies the result of a test.
  static func apply(
    _ reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    for side in Side.allCases {
      let number = try reader.uint8()
      let result =
        Int(number) < results.count ? results[Int(number)] : "result \(number)"
      reported.apply(
        SettingDeclaration(SettingID(rawValue: "fit-\(side)"), .reading), .text(result))
    }
  }
}
