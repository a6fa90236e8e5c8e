import Testing

@testable import AudioRoute

@Suite struct RetryDelaysTests {
  private static let series: [Duration?] = [1, 2, 4, 8, 16, 30].map { .seconds($0) }

  @Test func `where nothing can be watched it goes on every thirty seconds`() {
    var delays = RetryDelays()
    let waits = (1...8).map { _ in delays.wait(isWatched: false) }
    #expect(waits == Self.series + [.seconds(30), .seconds(30)])
  }

  @Test func `where the socket is watched it comes to rest`() {
    var delays = RetryDelays()
    let waits = (1...8).map { _ in delays.wait(isWatched: true) }
    #expect(waits == Self.series + [nil, nil])
  }

  @Test func `a hint begins again with moments for the server to listen`() {
    var delays = RetryDelays()
    for _ in 1...8 { _ = delays.wait(isWatched: true) }
    delays.hintCame()
    let moments: [Duration?] = [30, 60, 120, 240, 480].map { .milliseconds($0) }
    let waits = (1...12).map { _ in delays.wait(isWatched: true) }
    #expect(waits == moments + Self.series + [nil])
  }

  @Test func `a server that ran is tried again after a second`() {
    var delays = RetryDelays()
    for _ in 1...8 { _ = delays.wait(isWatched: true) }
    delays.serverRan()
    #expect(delays.wait(isWatched: true) == .seconds(1))
  }
}
