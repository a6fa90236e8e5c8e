/// A gesture on Huawei's and Honor's earbuds, with its possible actions.
///
/// | gesture | query, command | fields |
/// | --- | --- | --- |
/// | double tap | 0120, 011F | 1 left, 2 right, 3 available actions, 4 in a call: 0 answers |
/// | triple tap | 0126, 0125 | the same |
/// | swipe | 2B1F, 2B1E | 1 and 2 the same, 3 available actions |
/// | modes that holding cycles through | 2B19, 2B18 | 1 left, 2 right, 3 available ones |
/// | touch and hold | 2B17, 2B16 | 1 left, 2 right, 3 available actions, without "none" |
///
/// A query has fields 1 and 2. A command for swipes also has both; other commands have only field
/// 1, 2 or 4. All are device traffic in another project's tests, except for triple taps and for
/// "none" upon holding. Models that do not answer 2B19 number the actions of touch and hold
/// differently.
struct HuaweiGesture: Sendable {
  private var id: String
  var question: UInt16
  var command: UInt16
  private var actions: [UInt8: String]
  private var hasSides: Bool
  /// The number of an action that every model has without listing it, or nil if there is none.
  private var always: UInt8?
  /// A setting without which the actions have other numbers, or nil if there is none.
  var prerequisite: SettingID?
  /// The setting for the action in a call, or nil if models do not report one.
  private var inCall: SettingDeclaration?

  private static let taps: [UInt8: String] = [
    0x00: "voice-assistant", 0x01: "play", 0x02: "next", 0x07: "previous", 0xFF: "none",
  ]

  static let all = [
    HuaweiGesture(
      id: "double-tap", question: 0x0120, command: 0x011F, actions: taps, hasSides: true,
      inCall: SettingDeclaration("double-tap-in-call", .choices(["answer", "none"]))),
    HuaweiGesture(
      id: "triple-tap", question: 0x0126, command: 0x0125, actions: taps, hasSides: true),
    HuaweiGesture(
      id: "swipe", question: 0x2B1F, command: 0x2B1E, actions: [0x00: "volume", 0xFF: "none"],
      hasSides: false),
    HuaweiGesture(
      id: "noise-cycle", question: 0x2B19, command: 0x2B18,
      actions: [
        1: "off-cancelling", 2: "off-cancelling-transparency", 3: "cancelling-transparency",
        4: "off-transparency",
      ], hasSides: true),
    HuaweiGesture(
      id: "hold", question: 0x2B17, command: 0x2B16,
      actions: [0x0A: "noise-control", 0xFF: "none"], hasSides: true, always: 0xFF,
      prerequisite: "noise-cycle-left"),
  ]

  static let fields: [UInt8] = [1, 2]

  private static let callField: UInt8 = 4
  private static let callActions: [UInt8: String] = [0x00: "answer", 0xFF: "none"]

  private var fields: [UInt8] { hasSides ? Self.fields : [1] }

  private func id(_ field: UInt8) -> SettingID {
    SettingID(rawValue: hasSides ? "\(id)-\(field == 1 ? "left" : "right")" : id)
  }

  /// Applies the actions in an answer; the current one is offered even if it is not listed.
  ///
  /// An action without a name here is shown by its number.
  func apply(_ frame: HuaweiFrame, to reported: inout ReportedValues) {
    let offered = frame[3].map { Array($0) + (always.map { [$0] } ?? []) } ?? actions.keys.sorted()
    for field in fields {
      guard let raw = frame[field]?.first else { continue }
      let numbers = offered.contains(raw) ? offered : offered + [raw]
      let declaration = SettingDeclaration(id(field), .choices(numbers.compactMap { actions[$0] }))
      reported.apply(declaration, actions[raw], or: raw)
    }
    if let inCall, let raw = frame[Self.callField]?.first {
      reported.apply(inCall, Self.callActions[raw], or: raw)
    }
  }

  /// Returns the fields of a command, or nil if the setting or action is not of this gesture.
  func fields(_ setting: SettingID, _ value: SettingValue) -> [HuaweiFrame.Field]? {
    guard case .choice(let name) = value else { return nil }
    if setting == inCall?.id {
      return Self.callActions.first { $0.value == name }
        .map { [HuaweiFrame.Field(Self.callField, [$0.key])] }
    }
    guard let field = fields.first(where: { id($0) == setting }),
      let raw = actions.first(where: { $0.value == name })?.key
    else { return nil }
    return (hasSides ? [field] : Self.fields).map { HuaweiFrame.Field($0, [raw]) }
  }
}
