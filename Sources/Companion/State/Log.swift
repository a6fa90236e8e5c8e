/// What has happened, newest last, bounded.
public struct Log: Hashable, Sendable {
  public static let capacity = 500

  public private(set) var lines: [LogLine] = []
  /// All lines ever, those dropped included.
  public private(set) var total = 0

  public init() {}

  public mutating func append(_ line: LogLine) {
    if lines.count == Self.capacity { lines.removeFirst() }
    lines.append(line)
    total += 1
  }

  /// The newest line that a person should see on the status line.
  public var lastEvent: LogLine? { lines.last { $0.level >= .info } }
}

/// One thing that happened.
public struct LogLine: Hashable, Sendable {
  public enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
    case debug, info, notice, warning, error

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  public var at: Moment
  public var level: Level
  /// Whom it is about; nil: the program or the machine.
  public var headphone: HeadphoneID?
  /// Unsanitised where it quotes a headphone.
  public var text: String

  public init(at: Moment, level: Level, headphone: HeadphoneID? = nil, text: String) {
    self.at = at
    self.level = level
    self.headphone = headphone
    self.text = text
  }
}
