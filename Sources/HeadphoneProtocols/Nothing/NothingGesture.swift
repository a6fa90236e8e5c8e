internal import BluetoothCodec

/// The action of a tap or pinch on one of Nothing's or CMF's buds.
///
/// The answer to C018 is a count, then four bytes for each gesture. The command F003 has the count
/// 1 and one gesture.
///
/// | offset | field | meaning |
/// | --- | --- | --- |
/// | 0 | part | 2 left, 3 right (``NothingPart``) |
/// | 1 | common | 0 or 1 in answers; 1 in commands |
/// | 2 | gesture | 1 single tap, 2 double, 3 triple, 7 hold, 9 double tap and hold |
/// | 3 | action | the number of the action |
///
/// radiance-project/ear-web and sinanalizz123-max/nothing-buds, which took them from the maker's
/// app, agree on the numbers of actions; bestK1ngArthur/swift-nothing-ear numbers them differently.
/// A single tap plays or pauses on all models and cannot be changed.
struct NothingGesture: Hashable, Sendable {
  private var part: NothingPart
  private var number: UInt8
  private var name: String
  private var actions: [UInt8]

  private static let names: [UInt8: String] = [
    1: "none", 2: "play-pause", 8: "previous", 9: "next", 10: "noise-control",
    11: "voice-assistant", 18: "volume-up", 19: "volume-down", 20: "off-cancelling",
    21: "off-transparency", 22: "cancelling-transparency",
  ]
  private static let taps: [UInt8] = [2, 8, 9, 11, 1]
  private static let holds: [UInt8] = [10, 20, 21, 22, 18, 19, 11, 1]

  private static let all = [NothingPart.left, .right].flatMap { part in
    [
      NothingGesture(part: part, number: 2, name: "double-tap", actions: taps),
      NothingGesture(part: part, number: 3, name: "triple-tap", actions: taps),
      NothingGesture(part: part, number: 7, name: "hold", actions: holds),
      NothingGesture(part: part, number: 9, name: "double-tap-hold", actions: holds),
    ]
  }

  private var declaration: SettingDeclaration {
    SettingDeclaration(
      SettingID(rawValue: "\(name)-\(part == .left ? Side.left : .right)"),
      .choices(actions.compactMap { Self.names[$0] }))
  }

  /// Applies the gestures of an answer, reporting an unnamed action as its number.
  static func apply(
    _ reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    for _ in 0..<(try reader.uint8()) {
      let part = try reader.uint8()
      _ = try reader.uint8()
      let (number, action) = (try reader.uint8(), try reader.uint8())
      guard let gesture = all.first(where: { $0.part.rawValue == part && $0.number == number })
      else {
        reported.skip("gesture \(number) of part \(part)")
        continue
      }
      let name = gesture.actions.contains(action) ? names[action] : nil
      reported.apply(gesture.declaration, name, or: action)
    }
  }

  /// Returns the payload of F003, or nil if no gesture has this setting and value.
  static func payload(_ id: SettingID, _ value: SettingValue) -> Bytes? {
    guard let gesture = all.first(where: { $0.declaration.id == id }),
      let action = gesture.actions.first(where: { names[$0].map { .choice($0) } == value })
    else { return nil }
    return [1, gesture.part.rawValue, 1, gesture.number, action]
  }
}
