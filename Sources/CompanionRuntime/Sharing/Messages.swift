public import JSON

/// What a visitor says first: what it wants of the owner.
///
/// All messages are lines of JSON. The first has the version of this language, so that different
/// versions of the program never misunderstand each other.
public struct Request: Hashable, Sendable {
  /// Counts up when an old program would misunderstand a new one.
  public static let version: Int64 = 1

  /// A command line, without the program's name.
  public var arguments: [String]
  /// Where the files are that the arguments name; nil: where the owner is.
  public var directory: String?
  /// Whether a person can be asked, and sees progress.
  public var hasTerminal: Bool
  /// What an owner before made of the step that is asked for; nil: none has.
  public var word: String?
  /// The screen that wants to show what the owner shows; nil: a command.
  public var screen: JSON?

  public init(
    arguments: [String], directory: String? = nil, hasTerminal: Bool = false,
    word: String? = nil, screen: JSON? = nil
  ) {
    self.arguments = arguments
    self.directory = directory
    self.hasTerminal = hasTerminal
    self.word = word
    self.screen = screen
  }

  /// The first line of a visitor.
  public var json: JSON {
    [
      "earshot": .integer(Self.version), "arguments": .array(arguments.map { .string($0) }),
      "directory": JSON(directory), "terminal": .bool(hasTerminal), "as": JSON(word),
      "screen": screen ?? .null,
    ]
  }

  /// - Throws: why the owner does not take it.
  public init(line: [UInt8]) throws(Refusal) {
    guard let json = try? JSON(parsing: line) else { throw Refusal(why: "this is no request") }
    guard json["earshot"]?.wholeNumber == Self.version else {
      throw Refusal(
        why: "the earshot that owns the link speaks version \(Self.version) of requests")
    }
    guard let displayText = json["arguments"]?.elements, displayText.count <= 64 else {
      throw Refusal(why: "a request has at most 64 arguments")
    }
    arguments = displayText.compactMap(\.text)
    guard arguments.count == displayText.count else { throw Refusal(why: "arguments are texts") }
    directory = json["directory"]?.text
    hasTerminal = json["terminal"] == .bool(true)
    word = json["as"]?.text
    if let wanted = json["screen"], wanted != .null { screen = wanted }
  }

  /// A file that the visitor named, as the owner finds it.
  public func path(_ named: String) -> String {
    guard let directory, !named.hasPrefix("/"), directory.hasPrefix("/") else { return named }
    return "\(directory)/\(named)"
  }

  /// Why a request is not taken.
  public struct Refusal: Error, Hashable, Sendable {
    /// In words, for the person at the visitor's terminal.
    public var why: String

    public init(why: String) { self.why = why }
  }
}

/// What the owner answers, a line each.
public enum Answer: Hashable, Sendable {
  /// It does a command of its own and serves nobody: who waits may be the next owner.
  case busy
  /// To a ``Ping``.
  case alive
  /// The first one of a command: the owner is awake, and has begun.
  case begun
  /// The headphone hears of the command next, so it may have been done from here on.
  ///
  /// The word does the same however often, where what was asked for is a step ("next"); nil: it is
  /// none.
  case acting(as: String?)
  /// For standard output.
  case output(String)
  /// For standard error.
  case message(String)
  /// For standard error, if that is a terminal: not a whole line, and soon out of date.
  case progress(String)
  /// A line of the person is wanted: the next ``Reply`` with this number.
  case ask(Int64)
  /// The last one of a command: its exit code.
  case end(ExitStatus)

  /// One line of the owner.
  public var json: JSON {
    switch self {
    case .busy: ["busy": true]
    case .alive: ["alive": true]
    case .begun: ["begun": true]
    case .acting(let word): ["acting": true, "as": JSON(word)]
    case .output(let text): ["output": .string(text)]
    case .message(let text): ["message": .string(text)]
    case .progress(let text): ["progress": .string(text)]
    case .ask(let number): ["ask": .integer(number)]
    case .end(let status): ["status": .integer(Int64(status.rawValue))]
    }
  }

  /// Nil: it is none.
  public init?(line: [UInt8]) {
    guard let json = try? JSON(parsing: line) else { return nil }
    if json["begun"] == .bool(true) {
      self = .begun
    } else if json["busy"] == .bool(true) {
      self = .busy
    } else if json["alive"] == .bool(true) {
      self = .alive
    } else if json["acting"] == .bool(true) {
      self = .acting(as: json["as"]?.text)
    } else if let text = json["output"]?.text {
      self = .output(text)
    } else if let text = json["message"]?.text {
      self = .message(text)
    } else if let text = json["progress"]?.text {
      self = .progress(text)
    } else if let number = json["ask"]?.wholeNumber {
      self = .ask(number)
    } else if let code = json["status"]?.wholeNumber, let number = Int32(exactly: code) {
      self = .end(ExitStatus(rawValue: number) ?? .failed)
    } else {
      return nil
    }
  }
}

/// What the person at a visitor's terminal typed when the owner asked.
public struct Reply: Hashable, Sendable {
  /// The question's.
  public var number: Int64
  /// Nil: there will be no answer.
  public var text: String?

  public init(number: Int64, text: String?) {
    self.number = number
    self.text = text
  }

  /// One line of the visitor.
  public var json: JSON { ["reply": .integer(number), "text": JSON(text)] }

  /// Nil: it is none.
  public init?(line: [UInt8]) {
    guard let json = try? JSON(parsing: line), let number = json["reply"]?.wholeNumber else {
      return nil
    }
    self.number = number
    text = json["text"]?.text
  }
}

/// What a visitor asks whose owner has said nothing for a while: whether it is awake.
public enum Ping {
  /// One line of the visitor.
  public static let json: JSON = ["ping": true]

  /// Whether a line of a visitor is one.
  public static func isIn(_ line: [UInt8]) -> Bool {
    (try? JSON(parsing: line))?["ping"] == .bool(true)
  }
}

extension LineConnection {
  /// Sends a value on a line of its own.
  public func send(_ json: JSON) async -> Bool { await send("\(json)".utf8) }

  /// Sends an answer; false: the visitor is gone.
  public func send(_ answer: Answer) async -> Bool { await send(answer.json) }
}
