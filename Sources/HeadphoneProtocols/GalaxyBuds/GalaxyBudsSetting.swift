/// A setting of Galaxy Buds that is one byte of the full state and one byte of a command.
///
/// | setting | command | offset in the state | models |
/// | --- | --- | --- | --- |
/// | game mode | 85 | 10 Buds+; 8 Live and later | all but those of 2019 |
/// | seamless connection, inverted | AF | 14 of 2019; 21 Buds+; 19 Live and later | all |
/// | strength of cancelling: 0 low, 1 high | 83 | 24 | Pro, FE |
/// | conversation detection | 7A | 26 | Pro, 2 Pro |
/// | its time: 5, 10, 15 s | 7B | 27 | Pro, 2 Pro |
///
/// ```swift
/// GalaxyBudsSetting.all[0].value(of: 0x01)  // .toggle(true): game mode is on
/// ```
struct GalaxyBudsSetting: Sendable {
  /// What is offered on screens and in commands.
  var declaration: SettingDeclaration
  /// The command that sets it.
  var message: GalaxyBudsProtocol.Message
  /// The values by their byte.
  var values: [SettingValue]
  /// The byte's offset in a model's full state; nil: the model does not have the setting.
  var place: @Sendable (_ generation: GalaxyBudsGeneration, _ ear: UInt8) -> Int?

  /// The value of a byte; nil: a value without a name here.
  func value(of byte: UInt8) -> SettingValue? {
    Int(byte) < values.count ? values[Int(byte)] : nil
  }

  /// The byte of a value; nil: the setting does not have it.
  func byte(of value: SettingValue) -> UInt8? {
    values.firstIndex(of: value).map { UInt8(clamping: $0) }
  }

  private static let off = SettingValue.toggle(false)
  private static let on = SettingValue.toggle(true)
  private static let pro: UInt8 = 0x02
  private static let secondPro: UInt8 = 0x04
  private static let fanEdition: UInt8 = 0x06

  static let all: [GalaxyBudsSetting] = [
    GalaxyBudsSetting(
      declaration: SettingDeclaration(
        "game-mode", .toggle, title: "Game mode", label: "Game", group: .sound),
      message: .setVoice, values: [off, on]
    ) { generation, _ in
      switch generation {
      case .first: nil
      case .plus: 10
      case .live, .pro, .second: 8
      }
    },
    GalaxyBudsSetting(
      declaration: SettingDeclaration(
        "seamless-connection", .toggle, title: "Seamless connection", label: "Handoff",
        group: .device),
      message: .setSeamless, values: [on, off]
    ) { generation, _ in
      switch generation {
      case .first: 14
      case .plus: 21
      case .live, .pro, .second: 19
      }
    },
    choice(
      "cancelling-strength", ["low", "high"], "Cancelling strength", "Depth",
      .setStrength
    ) { [pro, fanEdition].contains($1) ? 24 : nil },
    GalaxyBudsSetting(
      declaration: SettingDeclaration(
        "conversation-detection", .toggle, title: "Conversation detection", label: "Talk",
        group: .noise),
      message: .setConversation, values: [off, on]
    ) { [pro, secondPro].contains($1) ? 26 : nil },
    choice(
      "conversation-end", ["5-seconds", "10-seconds", "15-seconds"], "Conversation ends after",
      "Ends in", .setConversationTime
    ) { [pro, secondPro].contains($1) ? 27 : nil },
  ]

  private static func choice(
    _ id: SettingID, _ names: [String], _ title: String, _ label: String,
    _ message: GalaxyBudsProtocol.Message,
    _ place: @escaping @Sendable (GalaxyBudsGeneration, UInt8) -> Int?
  ) -> GalaxyBudsSetting {
    GalaxyBudsSetting(
      declaration: SettingDeclaration(
        id, SettingDeclaration.choices(names), title: title, label: label, group: .noise),
      message: message, values: names.map { .choice($0) }, place: place)
  }
}

/// The actions of touching and holding either bud (order 92), of Buds2 and later.
///
/// Byte 11 of the full state has the left bud's action in its upper 4 bits, the right one's in its
/// lower 4. An action without a name here is kept in a command for the other bud.
struct GalaxyBudsHolds: Hashable, Sendable {
  var left: UInt8
  var right: UInt8

  init(_ byte: UInt8) { (left, right) = (byte >> 4, byte & 0x0F) }

  /// The actions by their number, from 1 on.
  private static let actions = ["voice-assistant", "noise-control", "volume", "spotify"]

  /// The settings of both buds.
  static let declarations = [Side.left, .right].map { side in
    SettingDeclaration(
      SettingID(rawValue: "hold-\(side)"), SettingDeclaration.choices(actions),
      title: "Touch and hold \(side)", label: side == .left ? "Hold L" : "Hold R",
      group: .controls)
  }

  /// Both actions as settings; without those that have no name here.
  var values: [(SettingDeclaration, SettingValue)] {
    zip(Self.declarations, [left, right]).compactMap { declaration, raw in
      (1...Self.actions.count).contains(Int(raw))
        ? (declaration, .choice(Self.actions[Int(raw) - 1])) : nil
    }
  }

  /// The same with another action of one bud; nil: it is none of these settings.
  func with(_ id: SettingID, _ action: String) -> GalaxyBudsHolds? {
    guard let bud = Self.declarations.firstIndex(where: { $0.id == id }),
      let index = Self.actions.firstIndex(of: action)
    else { return nil }
    var changed = self
    if bud == 0 { changed.left = UInt8(index + 1) } else { changed.right = UInt8(index + 1) }
    return changed
  }
}
