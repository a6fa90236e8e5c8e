/// The content read so far of an equaliser's text: the curve of each ear, and the omissions.
struct EqualiserReading {
  private var preamps = (left: 0.0, right: 0.0)
  private var filters: [(filter: ParametricEQ.Filter, ears: Ears)] = []
  private var hasPreamp = false
  private var ears = Ears.both
  /// The device of the lines; nil until one is named.
  private var device: String?
  private var isOtherDevice = false
  private var conditions = 0
  private var firstMistake: ParametricEQError?
  private var omissions: [(line: Int, text: String)] = []
  private var strangers: [Int] = []

  /// Reads another line; throws if there are too many filters.
  mutating func read(_ line: FilterLine, mostFilters: Int) throws(ParametricEQError) {
    let content: FilterLine.Content
    do throws(ParametricEQError) { content = try line.content() } catch {
      guard isRead else { return }
      firstMistake = firstMistake ?? error
      omissions.append((line.number, "line \(line.number) is left out: \(error.reason)"))
      return
    }
    switch content {
    case .condition(let step):
      if conditions == 0, step > 0 {
        omit(line, "what depends on this condition is left out")
      }
      conditions = max(0, conditions + step)
    case .device(let name):
      device = device ?? name
      isOtherDevice = name != device && name != "all"
      if isOtherDevice { omit(line, "what is for another device is left out") }
    case _ where !isRead: return
    case .channel(let chosen):
      ears = chosen
      if ears.isEmpty { omit(line, "what is for other channels than left and right is left out") }
    case _ where ears.isEmpty: return
    case .nothing: return
    case .preamp(let gain): add(gain)
    case .filter(let filter): add([filter])
    case .graphic(let graphic):
      let curve = graphic.fitted()
      add(curve.preamp)
      add(curve.filters)
      for omission in curve.omissions { omit(line, omission) }
    case .omitted(let what): omit(line, what)
    case .stranger: strangers.append(line.number)
    }
    guard filters.count <= mostFilters else {
      throw ParametricEQError(line: line.number, "more than \(mostFilters) filters")
    }
  }

  private var isRead: Bool { conditions == 0 && !isOtherDevice }

  private mutating func omit(_ line: FilterLine, _ what: String) {
    omissions.append((line.number, "line \(line.number): \(what)"))
  }

  private mutating func add(_ preamp: Double) {
    hasPreamp = true
    if ears.contains(.left) { preamps.left += preamp }
    if ears.contains(.right) { preamps.right += preamp }
  }

  private mutating func add(_ added: [ParametricEQ.Filter]) {
    filters += added.map { ($0, ears) }
  }

  func mistake(isJSON: Bool) -> ParametricEQError? {
    guard filters.isEmpty, !hasPreamp || firstMistake != nil else { return nil }
    if let firstMistake { return firstMistake }
    return ParametricEQError(
      line: 1, isJSON ? "this is JSON, no text of filters" : "there is no \"Filter\" that is on")
  }

  /// The curve for both ears, or their mean if they differ.
  var curve: ParametricEQ {
    var left = filters.filter { $0.ears == .left }.map(\.filter)
    var right: [ParametricEQ.Filter] = []
    var both = filters.filter { $0.ears == .both }.map(\.filter)
    for filter in filters.filter({ $0.ears == .right }).map(\.filter) {
      if let place = left.firstIndex(of: filter) {
        both.append(left.remove(at: place))
      } else {
        right.append(filter)
      }
    }
    var curve = ParametricEQ(
      preamp: (preamps.left + preamps.right) / 2, filters: both + (left + right).map(\.halved))
    curve.omissions = told
    if !left.isEmpty || !right.isEmpty || preamps.left != preamps.right {
      curve.omissions.append(
        Self.difference(
          ParametricEQ(preamp: preamps.left, filters: left),
          ParametricEQ(preamp: preamps.right, filters: right)))
    }
    return curve
  }

  private static func difference(_ left: ParametricEQ, _ right: ParametricEQ) -> String {
    let frequencies = ParametricEQ.frequencies(count: 240)
    let distances = zip(left.response(at: frequencies), right.response(at: frequencies))
      .map { abs($0 - $1) }
    let worst = zip(frequencies, distances).max { $0.1 < $1.1 } ?? (0, 0)
    return "left and right differ by up to \(decibelText(worst.1, sign: false)) "
      + "(\(frequencyText(worst.0))): both get the mean"
  }

  private static let mostOmissions = 12

  /// The omissions with line numbers, of which only the first are described.
  private var told: [String] {
    let rest = omissions.dropFirst(Self.mostOmissions).map(\.line)
    var told = omissions.prefix(Self.mostOmissions).map(\.text)
    if !rest.isEmpty { told.append("\(Self.lines(rest)) left out, too") }
    if !strangers.isEmpty { told.append("\(Self.lines(strangers)) left out: no filters") }
    return told
  }

  /// Returns "line 3 is" or "lines 1 to 4, 7 and 9 are".
  private static func lines(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, number <= last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    guard ranges.count > 1 || ranges[0].count > 1 else { return "line \(numbers[0]) is" }
    let words = ranges.prefix(8).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
    }
    let isCut = ranges.count > words.count
    let last = isCut ? "others" : words[words.count - 1]
    let before = isCut ? words : words.dropLast()
    return "lines " + (before.isEmpty ? last : before.joined(separator: ", ") + " and " + last)
      + " are"
  }
}

struct Ears: OptionSet {
  let rawValue: Int

  static let left = Ears(rawValue: 1)
  static let right = Ears(rawValue: 2)
  static let both: Ears = [.left, .right]
}

extension ParametricEQ.Filter {
  /// A filter with half the gain: one ear's share of the mean of two.
  fileprivate var halved: Self {
    var filter = self
    filter.gain /= 2
    return filter
  }
}
