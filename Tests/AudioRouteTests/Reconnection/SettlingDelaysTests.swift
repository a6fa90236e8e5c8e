import Testing

@testable import AudioRoute

/// A server without a default is asked again, a few times.
@Suite struct SettlingDelaysTests {
  private let speakers = AudioSink(
    name: "speakers", description: "Speakers", bluetooth: nil, volume: 100, isMuted: false,
    activity: .idle)

  private func sound(default sink: String?, sinks: [AudioSink]) -> AudioSnapshot {
    AudioSnapshot(serverName: "s", serverVersion: "1", defaultSink: sink, sinks: sinks)
  }

  @Test func `a server with a default is left alone`() {
    var delays = SettlingDelays()
    #expect(delays.wait(after: sound(default: "speakers", sinks: [speakers])) == nil)
  }

  @Test func `a server without sinks is left alone`() {
    var delays = SettlingDelays()
    #expect(delays.wait(after: sound(default: nil, sinks: [])) == nil)
  }

  @Test(arguments: [nil, "gone"])
  func `without a default it is asked later and later then no more`(sink: String?) {
    var delays = SettlingDelays()
    let waits = (1...10).map { _ in delays.wait(after: sound(default: sink, sinks: [speakers])) }
    #expect(
      waits == [100, 200, 400, 800, 1600, 3200, 6400, 12800].map { .milliseconds($0) } + [nil, nil])
  }

  @Test func `anything new begins again`() {
    var delays = SettlingDelays()
    for _ in 1...10 { _ = delays.wait(after: sound(default: nil, sinks: [speakers])) }
    #expect(delays.wait(after: sound(default: "gone", sinks: [speakers])) == .milliseconds(100))
    #expect(delays.wait(after: sound(default: "speakers", sinks: [speakers])) == nil)
    #expect(delays.wait(after: sound(default: "gone", sinks: [speakers])) == .milliseconds(100))
  }
}
