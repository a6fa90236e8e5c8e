import AudioRoute
import HeadphoneProtocols
import Testing

@testable import Companion

/// A command's availability determines its key, the footer and the help.
@Suite struct AvailabilityTests {
  /// States in which commands are refused for all kinds of reasons.
  static let states: [(String, State)] = {
    var connecting = Scenario.withHeadphone()
    connecting.given(.pressed(.connectOrDisconnect))
    var silent = Scenario.withReady(allFeatures)
    silent.given(.audio(.unavailable(.noServer)))
    var worn = Scenario.withReady(allFeatures)
    worn.given(.headphone(ear, .wearingChanged(Wearing(left: true, right: true))))
    var absent = Scenario()
    absent.given(.adapterChanged(.absent))
    return [
      ("nothing", State()), ("no adapter", absent.state),
      ("an adapter", Scenario.withAdapter().state),
      ("a headphone", Scenario.withHeadphone().state), ("connecting", connecting.state),
      ("no features", Scenario.withReady(Capabilities()).state),
      ("all features", Scenario.withReady(allFeatures).state), ("no sound server", silent.state),
      ("both buds worn", worn.state),
    ]
  }()

  @Test(arguments: states.indices)
  func `a key that is refused says the reason, with its remedy, and does nothing else`(
    index: Int
  ) {
    let (name, before) = Self.states[index]
    for command in UserCommand.allCases {
      guard case .refused(let why, let remedy) = command.availability(in: before) else { continue }
      var state = before
      #expect(state.reduce(.pressed(command), at: noon) == [.noticeTimer], "\(name): \(command)")
      #expect(state.notice == Notice(why, remedy: remedy, isAnswer: true), "\(name): \(command)")
      state.notice = nil
      state.log = before.log
      #expect(state == before, "\(name): \(command)")
      #expect(!UserCommand.hints(in: before).contains(command), "\(name): \(command)")
    }
  }

  @Test(arguments: states.indices)
  func `a remedy is a command that would help now`(index: Int) {
    let (name, state) = Self.states[index]
    for command in UserCommand.allCases {
      guard case .refused(_, let remedy?) = command.availability(in: state) else { continue }
      #expect(remedy.availability(in: state) == .available, "\(name): \(command)")
      #expect(remedy.label(in: state) != remedy.name, "\(name): \(command)")
    }
  }

  @Test func `of each kind of reason there is one`() {
    let reasons = Set(
      Self.states.flatMap { _, state in
        UserCommand.allCases.compactMap { command -> String? in
          guard case .refused(let why, _) = command.availability(in: state) else { return nil }
          return why
        }
      })
    let expected: Set = [
      "no headphone yet", "no Bluetooth adapter", "not connected",
      "this headphone has no noise control", "no volume: no sound server",
    ]
    #expect(expected.subtracting(reasons) == [])
    #expect(
      reasons.contains { $0.hasPrefix("not yet: ") }
        && reasons.contains { $0.hasPrefix("No scenes") })
  }
}
