/// A setting of Galaxy Buds with one byte in the full state and one byte in a command.
///
/// | setting | command | offset in the state | models |
/// | --- | --- | --- | --- |
/// | game mode | 85 | 10 Buds+; 8 Live and later | all but those of 2019 |
/// | seamless connection, inverted | AF | 14 of 2019; 21 Buds+; 19 Live and later | all |
/// | strength of cancelling: 0 low, 1 high | 83 | 24 | Pro, FE |
/// | noise control with one bud | 6F | 32 Pro; 28 later | Pro and later, of a known model |
/// | louder ambient sound | 96 | 20 Buds+; 30 Pro; 26 Buds2; 45 2 Pro | Buds+, Pro, 2, 2 Pro |
/// | conversation detection | 7A | 26 | Pro, 2 Pro, 3 Pro, 4 Pro |
/// | end of conversation: after 5, 10, 15 s | 7B | 27 | Pro, 2 Pro, 3 Pro, 4 Pro |
struct GalaxyBudsSetting: Sendable {
  var declaration: SettingDeclaration
  var message: GalaxyBudsProtocol.Message
  /// The values, in the order of their bytes.
  var values: [SettingValue]
  /// Returns the offset in a full state, or nil if the model lacks the setting.
  var place: @Sendable (_ state: GalaxyBudsState) -> Int?

  func value(of byte: UInt8) -> SettingValue? {
    Int(byte) < values.count ? values[Int(byte)] : nil
  }

  func byte(of value: SettingValue) -> UInt8? {
    values.firstIndex(of: value).map { UInt8(clamping: $0) }
  }

  private static let off = SettingValue.toggle(false)
  private static let on = SettingValue.toggle(true)

  private static let talkative: [GalaxyBudsModel?] = [.pro, .secondPro, .thirdPro, .fourthPro]

  static let oneBud = SettingDeclaration("one-bud-noise-control")

  static let all: [GalaxyBudsSetting] = [
    GalaxyBudsSetting(
      declaration: SettingDeclaration("game-mode"), message: .setVoice, values: [off, on]
    ) {
      switch $0.generation {
      case .first: nil
      case .plus: 10
      case .live, .pro, .second: 8
      }
    },
    GalaxyBudsSetting(
      declaration: SettingDeclaration("seamless-connection"), message: .setSeamless,
      values: [on, off]
    ) {
      switch $0.generation {
      case .first: 14
      case .plus: 21
      case .live, .pro, .second: 19
      }
    },
    choice("cancelling-strength", ["low", "high"], .setStrength) {
      [.pro, .fanEdition].contains($0.model) ? 24 : nil
    },
    GalaxyBudsSetting(declaration: oneBud, message: .setOneBud, values: [off, on]) { state in
      state.model?.oneBudPlace(revision: state.revision)
    },
    GalaxyBudsSetting(
      declaration: SettingDeclaration("louder-ambient"), message: .setLouderAmbient,
      values: [off, on]
    ) { $0.model?.louderPlace(revision: $0.revision) },
    GalaxyBudsSetting(
      declaration: SettingDeclaration("conversation-detection"), message: .setConversation,
      values: [off, on]
    ) { talkative.contains($0.model) ? 26 : nil },
    choice(
      "conversation-end", ["5-seconds", "10-seconds", "15-seconds"], .setConversationTime
    ) { talkative.contains($0.model) ? 27 : nil },
  ]

  private static func choice(
    _ id: SettingID, _ names: [String], _ message: GalaxyBudsProtocol.Message,
    _ place: @escaping @Sendable (GalaxyBudsState) -> Int?
  ) -> GalaxyBudsSetting {
    GalaxyBudsSetting(
      declaration: SettingDeclaration(id, .choices(names)), message: message,
      values: names.map { .choice($0) }, place: place)
  }
}

/// The actions of touching and holding either bud (command 0x92), on Buds2 and later.
///
/// Byte 11 of the full state has the left bud's action in its upper 4 bits, the right one's in its
/// lower 4. A command for one bud repeats the action of the other, even if it has no name here.
struct GalaxyBudsHolds: Hashable, Sendable {
  var left: UInt8
  var right: UInt8

  init(_ byte: UInt8) { (left, right) = (byte >> 4, byte & 0x0F) }

  /// The actions, from 1 on.
  private static let actions = ["voice-assistant", "noise-control", "volume", "spotify"]

  static let declarations = Side.allCases.map { side in
    SettingDeclaration(SettingID(rawValue: "hold-\(side)"), .choices(actions))
  }

  /// Both actions as settings, with their number and, if known, their name.
  var values: [(SettingDeclaration, UInt8, String?)] {
    zip(Self.declarations, [left, right]).map { declaration, raw in
      let isNamed = (1...Self.actions.count).contains(Int(raw))
      return (declaration, raw, isNamed ? Self.actions[Int(raw) - 1] : nil)
    }
  }

  func with(_ id: SettingID, _ action: String) -> GalaxyBudsHolds? {
    guard let bud = Self.declarations.firstIndex(where: { $0.id == id }),
      let index = Self.actions.firstIndex(of: action)
    else { return nil }
    var changed = self
    if bud == 0 { changed.left = UInt8(index + 1) } else { changed.right = UInt8(index + 1) }
    return changed
  }
}
