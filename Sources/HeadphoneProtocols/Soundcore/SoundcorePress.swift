/// The action of a press on a bud, or on a headphone's button.
///
/// The state has a byte for each press. Its lower 4 bits are the action while both buds are in use,
/// its upper 4 bits the action on a bud that is used alone, which a command repeats. Some models
/// have a switch before that byte. A press that is switched off is left out, as sources disagree on
/// the command that switches it on.
///
/// | offset in command 0481 | field | meaning |
/// | --- | --- | --- |
/// | 0 | side | 0 left, or the only button; 1 right |
/// | 1 | press | 0 double, 1 hold, 2 single, 5 triple, 6 slide up, 7 slide down |
/// | 2 | action | as in the state |
///
/// States in the tests of another project confirm the actions; a second project confirms the
/// commands of buds, and recorded commands of the Space Q45 those of the button.
struct SoundcorePress: Hashable, Sendable {
  enum Kind: UInt8, Sendable {
    case double = 0
    case hold = 1
    case single = 2
    case triple = 5
    case slideUp = 6
    case slideDown = 7
  }

  struct Actions: Hashable, Sendable {
    fileprivate var numbers: [UInt8]

    /// The actions that the maker's app offers for a single press of some models.
    static let plain = Actions(numbers: [6, 2, 3, 0, 1])
    static let withAssistant = Actions(numbers: plain.numbers + [5])
    static let withNoise = Actions(numbers: withAssistant.numbers + [4])
    static let withGameMode = Actions(numbers: withNoise.numbers + [9])
    static let louder = Actions(numbers: [0])
    static let quieter = Actions(numbers: [1])
    static let bass = Actions(numbers: [7])

    var orNone: Actions { Actions(numbers: numbers + [Self.none]) }

    fileprivate static let none: UInt8 = 0x0F
    fileprivate static let names: [UInt8: String] = [
      0: "volume-up", 1: "volume-down", 2: "previous", 3: "next", 4: "noise-control",
      5: "voice-assistant", 6: "play-pause", 7: "bass-up", 9: "game-mode", none: "none",
    ]

    fileprivate var choices: SettingDeclaration.Kind {
      .choices(numbers.compactMap { Self.names[$0] })
    }

    fileprivate func number(of value: SettingValue) -> UInt8? {
      numbers.first { Self.names[$0].map { .choice($0) } == value }
    }
  }

  var kind: Kind
  /// The bud, or nil for the only button of a headphone, whose action takes the whole byte.
  var side: Side?
  var place: Int
  /// Whether the byte before the action is a switch.
  var hasSwitch = false
  var actions: Actions

  /// The bits of the action while both buds are in use.
  private static let mask: UInt8 = 0x0F

  /// Applies the action in a state, by number if the model is not known to offer it, and withdraws
  /// the setting of a press that is switched off.
  func apply(_ state: [UInt8], to reported: inout ReportedValues) {
    guard place < state.count else { return }
    guard !hasSwitch || state[place - 1] & Self.mask != 0 else {
      return reported.withdraw(declaration.id)
    }
    let number = side == nil ? state[place] : state[place] & Self.mask
    let name = actions.numbers.contains(number) ? Actions.names[number] : nil
    reported.apply(declaration, name, or: number)
  }

  func command(for id: SettingID, _ value: SettingValue, in state: [UInt8]) -> [UInt8]? {
    guard id == declaration.id, place < state.count, let number = actions.number(of: value) else {
      return nil
    }
    let alone = side == nil ? 0 : state[place] & ~Self.mask
    return [side?.rawValue ?? 0, kind.rawValue, alone | number]
  }

  private var declaration: SettingDeclaration {
    let id = side.map { "\(kind.name)-\($0)" } ?? "double-press"
    return SettingDeclaration(SettingID(rawValue: id), actions.choices)
  }
}

extension SoundcorePress.Kind {
  fileprivate var name: String {
    switch self {
    case .single: "tap"
    case .double: "double-tap"
    case .triple: "triple-tap"
    case .hold: "hold"
    case .slideUp: "slide-up"
    case .slideDown: "slide-down"
    }
  }
}

extension SoundcorePress {
  /// Returns the presses of both buds in the order of the state, left before right, starting at the
  /// first press or its switch.
  static func ofBuds(
    at place: Int, hasSwitches: Bool = false, _ presses: [(Kind, Actions)]
  ) -> [SoundcorePress] {
    let width = hasSwitches ? 2 : 1
    return presses.enumerated().flatMap { index, press in
      Side.allCases.map { side in
        let offset = (2 * index + Int(side.rawValue)) * width
        return SoundcorePress(
          kind: press.0, side: side, place: place + offset + width - 1, hasSwitch: hasSwitches,
          actions: press.1)
      }
    }
  }

  static func ofButton(at place: Int) -> [SoundcorePress] {
    [SoundcorePress(kind: .double, place: place, actions: .bass.orNone)]
  }
}
