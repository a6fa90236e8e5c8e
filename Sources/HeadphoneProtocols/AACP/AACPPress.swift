internal import BluetoothCodec

/// Presses of the stem, which AirPods act upon themselves, or report instead where they were asked to.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | press: 5 single, 6 double, 7 triple, 8 long |
/// | 1 | 1 | bud: 1 left, 2 right |
///
/// Control 0x39 has a bit for each press that is reported: 1 single, 2 double, 4 triple, 8 long.
/// Tests of one project.
struct AACPPress: Hashable, Sendable {
  /// The bud.
  var side: Side
  /// The press.
  var gesture: TouchGesture

  /// The number of the control.
  static let control: UInt8 = 0x39
  /// All bits of the control.
  static let all: ClosedRange<UInt8> = 0...0x0F
  private static let first: UInt8 = 5

  /// Decodes the two bytes after the opcode; further ones are ignored.
  ///
  /// - Throws: ``/BluetoothCodec/MalformedBytes`` if there are fewer, or one is unknown.
  init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP press")
    let press = try reader.uint8(in: Self.first...Self.first + 3)
    guard let gesture = TouchGesture(rawValue: press - Self.first) else {
      throw reader.impossible(press)
    }
    self.gesture = gesture
    side = try reader.uint8(in: 1...2) == 1 ? .left : .right
  }

  /// The bit of a press in the control.
  static func bit(_ gesture: TouchGesture) -> UInt8 { 1 << gesture.rawValue }

  /// Whether a press is reported, as a setting.
  static func setting(_ gesture: TouchGesture) -> SettingDeclaration {
    let (title, label) =
      switch gesture {
      case .tap: ("Report press", "Press")
      case .doubleTap: ("Report double press", "2 press")
      case .tripleTap: ("Report triple press", "3 press")
      case .hold: ("Report press and hold", "Hold")
      }
    return SettingDeclaration(
      SettingID(rawValue: "report-\(gesture.name)"), .toggle, title: title, label: label,
      group: .controls)
  }
}
