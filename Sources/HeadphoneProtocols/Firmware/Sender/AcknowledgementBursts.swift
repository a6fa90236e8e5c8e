/// When the image's bytes have been acknowledged, in bursts: one for each connection event.
struct AcknowledgementBursts: Sendable {
  /// The first byte that is missing from a moment on.
  private struct Mark: Sendable {
    var end: Int
    var timestamp: Duration
  }

  /// What one burst has told in all, and when it began.
  struct Burst: Sendable {
    /// The first byte that is missing after it.
    var end: Int
    /// Since the burst before, in parts of the usual pause.
    var pause: Double
    /// Bytes of its last acknowledgement: by less than that more may have arrived.
    var step = 0
  }

  /// A shorter pause than this part of the longest does not divide bursts.
  private static let division = 0.25
  /// More acknowledgements tell nothing new.
  private static let mostMarks = 160

  private var marks: [Mark] = []

  /// Whether further acknowledgements are noted.
  var isFull: Bool { marks.count >= Self.mostMarks }

  mutating func acknowledged(through end: Int, at now: Duration) {
    marks.append(Mark(end: end, timestamp: now))
  }

  /// The bursts so far, in order; the first one's pause is 0.
  func divided() -> [Burst] {
    let pauses = zip(marks.dropFirst(), marks).map { ($0.timestamp - $1.timestamp).inSeconds }
    let sorted = pauses.sorted()
    guard let first = marks.first, let longest = sorted.last else { return [] }
    // One stall among many pauses is not the measure of them.
    let long = sorted.count < 10 ? longest : sorted[sorted.count * 9 / 10]
    var bursts = [Burst(end: first.end, pause: 0)]
    var passed = 0.0
    for (pair, pause) in zip(zip(marks, marks.dropFirst()), pauses) {
      passed += pause
      if pause > long * Self.division {
        bursts.append(Burst(end: pair.1.end, pause: passed))
        passed = 0
      }
      bursts[bursts.count - 1].step = pair.1.end - pair.0.end
      bursts[bursts.count - 1].end = pair.1.end
    }
    let usual = bursts.dropFirst().map(\.pause).sorted()
    guard !usual.isEmpty else { return bursts }
    let middle = usual[usual.count / 2]
    return bursts.map { Burst(end: $0.end, pause: $0.pause / middle, step: $0.step) }
  }
}
