/// What a tap or swipe does on Huawei's and Honor's earbuds.
///
/// | gesture | question, command | fields |
/// | --- | --- | --- |
/// | double tap | 0120, 011F | 1 left, 2 right, 3 the actions that there are |
/// | triple tap | 0126, 0125 | the same |
/// | swipe | 2B1F, 2B1E | 1 and 2 the same, 3 the actions that there are |
///
/// A question has both fields; a command for taps has field 1 or 2 alone, for swipes both. The question for double taps and an answer for swipes are from
/// the tests of another project.
struct HuaweiGesture: Sendable {
  private var id: String
  private var title: String
  private var label: String
  var question: UInt16
  var command: UInt16
  /// The actions with a name here, by their number.
  private var actions: [UInt8: String]
  /// Whether each bud has its own action.
  private var hasSides: Bool

  private static let taps: [UInt8: String] = [
    0x00: "voice-assistant", 0x01: "play", 0x02: "next", 0x07: "previous", 0xFF: "none",
  ]

  static let all = [
    HuaweiGesture(
      id: "double-tap", title: "Double tap", label: "2 tap", question: 0x0120, command: 0x011F,
      actions: taps, hasSides: true),
    HuaweiGesture(
      id: "triple-tap", title: "Triple tap", label: "3 tap", question: 0x0126, command: 0x0125,
      actions: taps, hasSides: true),
    HuaweiGesture(
      id: "swipe", title: "Swipe", label: "Swipe", question: 0x2B1F, command: 0x2B1E,
      actions: [0x00: "volume", 0xFF: "none"], hasSides: false),
  ]

  /// The fields of a question: one for each bud.
  static let fields: [UInt8] = [1, 2]

  /// The fields with an action of their own.
  private var fields: [UInt8] { hasSides ? Self.fields : [1] }

  private func id(_ field: UInt8) -> SettingID {
    SettingID(rawValue: hasSides ? "\(id)-\(field == 1 ? "left" : "right")" : id)
  }

  /// The settings in an answer, without actions that have no name here or that it does not list.
  func settings(in frame: HuaweiFrame) -> [(SettingDeclaration, SettingValue)] {
    let offered = frame[3].map(Array.init) ?? actions.keys.sorted()
    let names = SettingDeclaration.choices(offered.compactMap { actions[$0] })
    return fields.compactMap { field in
      guard let raw = frame[field]?.first, let name = actions[raw] else { return nil }
      let side = field == 1 ? "left" : "right"
      let declaration = SettingDeclaration(
        id(field), names, title: hasSides ? "\(title) \(side)" : title,
        label: hasSides ? "\(label) \(field == 1 ? "L" : "R")" : label, group: .controls)
      return (declaration, .choice(name))
    }
  }

  /// The fields of a command for a setting, which have the action's number; nil: it is another
  /// gesture's.
  func fields(_ setting: SettingID, _ value: SettingValue) -> [HuaweiFrame.Field]? {
    guard case .choice(let name) = value, let field = fields.first(where: { id($0) == setting }),
      let raw = actions.first(where: { $0.value == name })?.key
    else { return nil }
    return (hasSides ? [field] : Self.fields).map { HuaweiFrame.Field($0, [raw]) }
  }
}
