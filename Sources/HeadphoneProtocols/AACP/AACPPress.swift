internal import BluetoothCodec

/// A press of the stem, which AirPods either act upon or, if a setting says so, report.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | press: 5 single, 6 double, 7 triple, 8 long |
/// | 1 | 1 | bud: 1 left, 2 right |
///
/// The settings are in ``AACPSetting``. The layout is from the tests of one project.
struct AACPPress: Hashable, Sendable {
  var side: Side
  var gesture: TouchGesture

  private static let first: UInt8 = 5

  init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP press")
    let press = try reader.uint8(in: Self.first...Self.first + 3)
    guard let gesture = TouchGesture(rawValue: press - Self.first) else {
      throw reader.impossible(press)
    }
    self.gesture = gesture
    side = try reader.uint8(in: 1...2) == 1 ? .left : .right
  }
}
