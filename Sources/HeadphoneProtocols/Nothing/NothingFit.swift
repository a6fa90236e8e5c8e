internal import BluetoothCodec

/// The result of a fit test: how well the tips of both buds seal.
///
/// The buds report it (E00D) a few seconds after the command that starts the test. Each bud has one
/// byte, left before right: 0 good, 1 poor, 2 not in the ear.
///
/// Published by radiance-project/ear-web and sinanalizz123-max/nothing-buds.
enum NothingFit {
  /// The setting that starts a test, on models with a known serial number.
  static let test = SettingDeclaration("fit-test", .action)

  private static let results = ["good", "poor", "not in the ear"]

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
