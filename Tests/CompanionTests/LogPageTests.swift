import HeadphoneProtocols
import Testing

@testable import Companion

/// The log page: the content of its lines, filters, copying and following.
@Suite struct `The log's page` {
  private func open() -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.log))
    return scenario
  }

  private let packet = PacketDetail(
    bytes: [0x52, 0x22, 0x00, 0xA5], command: 0x20, sequence: 7, error: "busy")

  @Test func `each line tells its part and the state of the link`() throws {
    var scenario = Scenario.withReady()
    scenario.given(.headphone(ear, .ancChanged(.adaptive)))
    let line = try #require(scenario.state.log.lines.last)
    #expect(line.subsystem == .headphone && line.link?.use == .ready && line.headphone == ear)
    scenario.given(.link(ear, .ended(.timeout)))
    let end = try #require(scenario.state.log.lines.last { $0.subsystem == .link })
    #expect(end.link?.name == .reconnecting)
    scenario.given(.adapterChanged(.off(adapter: "hci0")))
    #expect(scenario.state.log.lines.contains { $0.subsystem == .radio })
  }

  @Test func `left and right narrow it by level, and every packet is followed below info`() {
    var scenario = open()
    #expect(scenario.state.logLevel == .info)
    scenario.press(.left, effects: [.trace(isOn: true)]) {
      $0.logLevel = .debug
      $0.tracers = 1
    }
    scenario.press(.left) { $0.logLevel = .trace }
    scenario.press(.left)
    scenario.given(.traffic(ear, .trace, "sent Read Request", packet))
    #expect(scenario.state.logLines.first?.packet == packet)
    #expect(scenario.state.logLines.first?.subsystem == .att)
    scenario.press(.right) { $0.logLevel = .debug }
    #expect(scenario.state.logLines.first?.packet == nil)
    scenario.press(.right, effects: [.trace(isOn: false)]) {
      $0.logLevel = .info
      $0.tracers = 0
    }
    for level in [LogLine.Level.notice, .warning, .error] {
      scenario.press(.right) { $0.logLevel = level }
    }
    scenario.press(.right)
    #expect(scenario.state.logLines.allSatisfy { $0.level >= .error })
  }

  @Test func `packets are followed until the last screen that wants them has enough`() {
    var state = open().state
    let timestamp = Timestamp(milliseconds: 0)
    var mirror = state.firstViewpoint
    /// Performs an action on the second screen.
    func act(_ action: Action) -> [Effect] {
      let own = state.viewpoint
      state.viewpoint = mirror
      defer {
        mirror = state.viewpoint
        state.viewpoint = own
      }
      return state.reduce(action, at: timestamp)
    }
    _ = act(.pressed(.log))
    #expect(act(.pressed(.left)) == [.trace(isOn: true)])
    #expect(state.reduce(.pressed(.left), at: timestamp) == [])
    #expect(state.reduce(.pressed(.right), at: timestamp) == [])
    #expect(state.isTracing)
    // A screen that is closed wants none any more.
    #expect(act(.screenLeft).contains(.trace(isOn: false)))
    #expect(!state.isTracing)
  }

  @Test func `Tab narrows it to a part, round to all of them`() {
    var scenario = open()
    for part in LogLine.Subsystem.allCases {
      scenario.press(.otherPanel) { $0.logSubsystem = part }
      #expect(scenario.state.logLines.allSatisfy { $0.subsystem == part })
    }
    scenario.press(.otherPanel) { $0.logSubsystem = nil }
  }

  @Test func `up shows older lines, and the last line follows`() {
    var scenario = open()
    for number in 0..<30 { scenario.given(.noted(.info, nil, "line \(number)")) }
    scenario.press(.up) { $0.page = .log(line: 1) }
    scenario.press(.pageUp) { $0.page = .log(line: 11) }
    scenario.press(.down) { $0.page = .log(line: 10) }
    scenario.press(.bottom) { $0.page = .log(line: 0) }
    scenario.press(.down)
    let oldest = scenario.state.logLines.count - 1
    scenario.press(.top) { $0.page = .log(line: oldest) }
  }

  @Test func `y copies what is shown, oldest first, and promises nothing`() throws {
    var scenario = open()
    scenario.given(
      .noted(.warning, ear, "Ear (a) is far"), .noted(.error, ear, "Ear (a): no answer"),
      .noted(.error, ear, "Ear (a)s"), .noted(.warning, nil, "one\u{1B}[31m"),
      .noted(.error, nil, "two"),
      .traffic(ear, .error, "heard Error Response", packet))
    for _ in 0..<2 { scenario.given(.pressed(.right)) }
    let effects = scenario.effects(of: .pressed(.copy))
    #expect(
      effects == [
        .copy(
          "14:03:22 warning app Ear (a) (ready) is far\n"
            + "14:03:22 error app Ear (a) (ready) no answer\n"
            + "14:03:22 error app Ear (a) (ready) Ear (a)s\n"
            + "14:03:22 warning app one\u{FFFD}[31m\n14:03:22 error app two\n"
            + "14:03:22 error att Ear (a) (ready) heard Error Response "
            + "[command 20, sequence 7, 4 bytes, error: busy]\n"), .noticeTimer,
      ])
    #expect(
      scenario.state.notice?.text
        == "6 lines copied, if the terminal allows it")
  }

  @Test func `no more is copied than terminals take`() throws {
    var scenario = open()
    for _ in 0..<400 { scenario.given(.noted(.info, nil, String(repeating: "x", count: 300))) }
    guard case .copy(let text)? = scenario.effects(of: .pressed(.copy)).first else {
      Issue.record("nothing is copied")
      return
    }
    #expect((40_000...48_000).contains(text.utf8.count))
  }

  @Test func `nothing to copy is said`() {
    var scenario = open()
    scenario.given(.pressed(.filter), .typed(.character("§")), .pressed(.accept))
    scenario.press(.copy, effects: [.noticeTimer]) { $0.explains("nothing to copy") }
  }

  @Test func `a level is each screen's own`() {
    var scenario = open()
    scenario.given(.pressed(.right))
    #expect(scenario.state.viewpoint.logLevel == .notice)
    #expect(scenario.state.firstViewpoint.logLevel == .info)
  }
}
