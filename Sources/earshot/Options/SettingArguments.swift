import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

/// An argument with a fixed set of named values, of which an unambiguous beginning suffices.
///
/// ```
/// earshot anc trans    # transparency
/// earshot anc nc       # noise-cancelling, by its alias
/// ```
protocol NamedArgument: ExpressibleByArgument, CaseIterable {
  var name: String { get }
  /// Other names of the values, in lower case.
  static var aliases: [String: String] { get }
  static var help: ArgumentHelp? { get }
}

extension NamedArgument {
  static var aliases: [String: String] { [:] }
  static var help: ArgumentHelp? { nil }
  static var allValueStrings: [String] { allCases.map(\.name) }

  init?(argument: String) { self.init(named: argument) }

  private init?(named word: String) {
    let name = Self.aliases[word.lowercased()] ?? Self.allValueStrings.meant(by: word)
    guard let value = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = value
  }
}

extension NamedArgument where Self: RawRepresentable<String> {
  var name: String { rawValue }
  static var allValueStrings: [String] { allCases.map(\.rawValue) }

  /// Creates the value from its name, alias or an unambiguous beginning, unlike the parser's own.
  init?(argument: String) { self.init(named: argument) }
}

/// An argument that is an absolute value, or a step relative to the current one.
protocol StepArgument: NamedArgument {
  /// Whether the value is relative; the owner resolves it (``SharedCommand/resolveStep(of:)``).
  var isStep: Bool { get }
}

extension StepArgument {
  /// Returns the absolute value to which the owner resolved a step, or the argument itself.
  @MainActor
  func resolved(in context: CommandContext) -> Self {
    isStep ? context.step.flatMap(Self.init(argument:)) ?? self : self
  }
}

enum ANCArgument: StepArgument {
  case mode(ANCMode), next, previous, toggle

  static let allCases = ANCMode.allCases.map(ANCArgument.mode) + [.next, .previous, .toggle]
  /// The other names of the modes; the digits are the keys of the screen.
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

  var command: UserCommand {
    switch self {
    case .mode(let mode): .setANC(mode)
    case .next: .nextANC
    case .previous: .previousANC
    case .toggle: .flipTransparency
    }
  }
}

/// The gains of `eq --bands`; their number is checked against the headphone.
struct BandsArgument: ExplainedArgument {
  static let usage = "it takes a gain for each band, -12 to 12 dB in steps of 0.5: 3,2,0,-0.5,1"

  let gains: [BandGain]

  /// Parses "3,2,0,-0.5": -12 to +12 dB in steps of 0.5.
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

enum FindArgument: String, NamedArgument {
  static let help: ArgumentHelp? = .init("Which buds (default: both).", valueName: "buds")

  case left, right, both, stop

  static let aliases = ["all": "both", "start": "both", "on": "both", "off": "stop"]

  var command: HeadphoneCommand {
    switch self {
    case .left: .find(.left, isOn: true)
    case .right: .find(.right, isOn: true)
    case .both: .find(.both, isOn: true)
    case .stop: .find(.both, isOn: false)
    }
  }
}

enum Switch: String, NamedArgument {
  case on, off

  static let aliases = [
    "yes": "on", "true": "on", "1": "on", "no": "off", "false": "off", "0": "off",
  ]
}

enum ToggleArgument: String, StepArgument {
  case on, off, toggle

  static let aliases = Switch.aliases

  var isStep: Bool { self == .toggle }
}

enum SideArgument: String, NamedArgument {
  case left, right

  var side: Side { self == .left ? .left : .right }
}

struct GestureArgument: NamedArgument {
  static let allCases = TouchGesture.allCases.map(GestureArgument.init)

  let gesture: TouchGesture
  var name: String { gesture.name }
}
