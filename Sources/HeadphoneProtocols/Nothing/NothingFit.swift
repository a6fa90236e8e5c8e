internal import BluetoothCodec

/// The result of a fit test: how well the tips of both buds seal.
///
/// The buds report it (E00D) a few seconds after the command that starts the test.
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | left | 0 good, 1 poor, 2 the bud is not in the ear |
/// | 1 | right | as for the left bud |
///
/// Published by radiance-project/ear-web and sinanalizz123-max/nothing-buds.
enum NothingFit {
  /// The setting that starts a test, on models with a known serial number.
  static let test = SettingDeclaration("fit-test", .action)

  private static let results = ["good", "poor", "not in the ear"]

  /// Applies the result of a test, one reading for each bud.
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
