import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

/// An argument with a fixed set of values, each with a name.
protocol NamedArgument: ExpressibleByArgument, CaseIterable {
  var name: String { get }
}

extension NamedArgument {
  static var allValueStrings: [String] { allCases.map(\.name) }

  init?(argument: String) {
    guard let value = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = value
  }
}

/// An argument that is an absolute value, or a step relative to the current one.
protocol StepArgument: NamedArgument {
  var isStep: Bool { get }
}

extension StepArgument {
  /// The absolute value to which a step was resolved; otherwise the argument itself.
  @MainActor
  func resolved(in context: CommandContext) -> Self {
    isStep ? context.step.flatMap(Self.init(argument:)) ?? self : self
  }
}

/// The argument of `earshot anc`.
enum ANCArgument: StepArgument {
  case mode(ANCMode), next, previous, toggle

  static let allCases = ANCMode.allCases.map(ANCArgument.mode) + [.next, .previous, .toggle]

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

/// The argument of `earshot eq`.
enum EQArgument: StepArgument {
  case preset(EQPreset), next

  static let allCases = EQPreset.allCases.map(EQArgument.preset) + [.next]

  var name: String {
    switch self {
    case .preset(let preset): preset.name
    case .next: "next"
    }
  }

  var isStep: Bool { if case .preset = self { false } else { true } }
}

/// The gains of `eq --bands`, in dB.
struct BandsArgument: ExpressibleByArgument {
  let gains: [BandGain]

  /// "3,2,0,-0.5": steps of 0.5 dB, -12 to +12.
  init?(argument: String) {
    var gains: [BandGain] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let decibels = Double(part), abs(decibels) <= 12,
        let steps = Int8(exactly: decibels * 2), let gain = BandGain(halfDecibels: steps)
      else { return nil }
      gains.append(gain)
    }
    self.gains = gains
  }
}

/// The argument of `earshot find`.
enum FindArgument: String, ExpressibleByArgument, CaseIterable {
  case left, right, both, stop

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
enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }

enum SideArgument: String, ExpressibleByArgument, CaseIterable {
  case left, right

  var side: Side { self == .left ? .left : .right }
}

struct GestureArgument: NamedArgument {
  static let allCases = TouchGesture.allCases.map(GestureArgument.init)

  let gesture: TouchGesture
  var name: String { gesture.name }
}

struct TouchActionArgument: NamedArgument {
  static let allCases = TouchAction.allCases.map(TouchActionArgument.init)

  let action: TouchAction
  var name: String { action.name }
}
