/// When the bytes of one run arrived, by the acknowledgements.
///
/// Acknowledgements come in bursts, one at each connection event. From the beginning of one burst to
/// that of another lie whole events, so that the rate between them is right however few there are.
struct ArrivalTrail: Sendable {
  struct Measure: Hashable, Sendable {
    var bytes: Int
    var time: Duration
    /// Bursts, less one.
    var gaps: Int
  }

  private struct Mark: Sendable {
    /// The first byte that was missing until then.
    var start: Int
    var moment: Duration
    /// Since the acknowledgement before.
    var pause: Duration
  }

  /// There are bursts if the longest pause is so many times the usual one.
  private static let burstiness = 2.5

  private var marks: [Mark] = []

  /// There is enough to measure by.
  var isLong: Bool { marks.count >= 5 }

  mutating func add(_ start: Int, at now: Duration, after pause: Duration) {
    marks.append(Mark(start: start, moment: now, pause: pause))
  }

  /// What lies between the first and the last burst; the last one begins the next measure.
  mutating func takeMeasure() -> Measure? {
    let pauses = marks.map(\.pause).sorted()
    guard let longest = pauses.last, longest > .zero else { return nil }
    let isBursty = longest > pauses[pauses.count / 2] * Self.burstiness
    let beginnings = marks.indices.filter { !isBursty || marks[$0].pause * 2 > longest }
    guard let first = beginnings.first, let last = beginnings.last, first < last else { return nil }
    let measure = Measure(
      bytes: marks[last].start - marks[first].start,
      time: marks[last].moment - marks[first].moment, gaps: beginnings.count - 1)
    marks.removeFirst(last)
    return measure
  }
}
