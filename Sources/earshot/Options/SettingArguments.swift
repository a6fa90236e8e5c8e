import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

/// An argument with a fixed set of values, each with a name; the beginning of a name will do.
///
/// Completion and error messages list the names.
///
/// ```
/// earshot anc trans    # transparency
/// earshot anc nc       # noise-cancelling, by its alias
/// ```
protocol NamedArgument: ExpressibleByArgument, CaseIterable {
  /// The word on the command line.
  var name: String { get }
  /// Further names of the values, in lower case, by which they can be typed as well.
  static var aliases: [String: String] { get }
  /// What it means, where more than one command says so.
  static var help: ArgumentHelp? { get }
}

extension NamedArgument {
  static var aliases: [String: String] { [:] }
  static var help: ArgumentHelp? { nil }
  static var allValueStrings: [String] { allCases.map(\.name) }

  init?(argument: String) { self.init(named: argument) }

  /// The value of an alias, a name, or the unambiguous beginning of one; nil: there is none.
  private init?(named word: String) {
    let name = Self.aliases[word.lowercased()] ?? Self.allValueStrings.meant(by: word)
    guard let value = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = value
  }
}

extension NamedArgument where Self: RawRepresentable<String> {
  /// The raw value.
  var name: String { rawValue }
  static var allValueStrings: [String] { allCases.map(\.rawValue) }

  /// More specific than the parser's own, which takes a whole raw value only.
  init?(argument: String) { self.init(named: argument) }
}

/// An argument that is an absolute value, or a step relative to the current one.
///
/// See ``SharedCommand/resolveStep(of:)``.
protocol StepArgument: NamedArgument {
  /// Whether it is relative: such a word is sent to the owner, which resolves it.
  var isStep: Bool { get }
}

extension StepArgument {
  /// The absolute value to which a step was resolved; otherwise the argument itself.
  ///
  /// The owner resolves a step once, so that a repeated request does not step twice.
  @MainActor
  func resolved(in context: CommandContext) -> Self {
    isStep ? context.step.flatMap(Self.init(argument:)) ?? self : self
  }
}

/// The argument of `earshot anc`.
///
/// `off`, `noise-cancelling`, `transparency`, `adaptive`, and the steps `next`, `previous` and
/// `toggle`.
enum ANCArgument: StepArgument {
  case mode(ANCMode), next, previous, toggle

  static let allCases = ANCMode.allCases.map(ANCArgument.mode) + [.next, .previous, .toggle]
  /// The digits are the keys of the screen.
  static let aliases = ANCMode.aliases.mapValues(\.name)
    .merging(["cycle": "next", "prev": "previous"]) { $1 }
    .merging(
      ANCMode.allCases.flatMap { mode in UserCommand.setANC(mode).keys.map { ($0, mode.name) } }
    ) { $1 }

  var name: String {
    switch self {
    case .mode(let mode): mode.name
    case .next: "next"
    case .previous: "previous"
    case .toggle: "toggle"
    }
  }

  var isStep: Bool { if case .mode = self { false } else { true } }

  /// The equivalent key of the screen.
  var command: UserCommand {
    switch self {
    case .mode(let mode): .setANC(mode)
    case .next: .nextANC
    case .previous: .previousANC
    case .toggle: .flipTransparency
    }
  }
}

/// The gains of `eq --bands`, in dB.
///
/// The number of bands is checked against the headphone.
struct BandsArgument: ExplainedArgument {
  static let usage = "it takes a gain for each band, -12 to 12 dB in steps of 0.5: 3,2,0,-0.5,1"

  let gains: [BandGain]

  /// "3,2,0,-0.5": steps of 0.5 dB, -12 to +12.
  init?(argument: String) {
    var gains: [BandGain] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let decibels = Double(String(part).withHyphen), abs(decibels) <= 12,
        let steps = Int8(exactly: decibels * 2), let gain = BandGain(halfDecibels: steps)
      else { return nil }
      gains.append(gain)
    }
    self.gains = gains
  }
}

/// The argument of `earshot find`.
enum FindArgument: String, NamedArgument {
  static let help: ArgumentHelp? = .init("Which buds (default: both).", valueName: "buds")

  case left, right, both, stop

  static let aliases = ["all": "both", "start": "both", "on": "both", "off": "stop"]

  /// The command that rings these buds; `stop` silences both.
  var command: HeadphoneCommand {
    switch self {
    case .left: .find(.left, isOn: true)
    case .right: .find(.right, isOn: true)
    case .both: .find(.both, isOn: true)
    case .stop: .find(.both, isOn: false)
    }
  }
}

/// A setting that is on or off.
enum Switch: String, NamedArgument {
  case on, off

  static let aliases = ["yes": "on", "true": "on", "no": "off", "false": "off"]
}

/// A bud.
enum SideArgument: String, NamedArgument {
  case left, right

  var side: Side { self == .left ? .left : .right }
}

/// A gesture, by its name: "tap", "double-tap", "triple-tap", "hold".
struct GestureArgument: NamedArgument {
  static let allCases = TouchGesture.allCases.map(GestureArgument.init)

  let gesture: TouchGesture
  var name: String { gesture.name }
}

/// An action of a gesture, by its name.
struct TouchActionArgument: NamedArgument {
  static let allCases = TouchAction.allCases.map(TouchActionArgument.init)

  let action: TouchAction
  var name: String { action.name }
}
