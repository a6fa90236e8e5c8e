public import JSON

/// What a client asks of the owner of the link, in its first line.
///
/// All messages are lines of JSON. This one has the version of the protocol, so that different
/// versions of the program never misunderstand each other.
public struct Request: Hashable, Sendable {
  /// Counts up when an old program would misunderstand a new one.
  public static let version: Int64 = 1

  /// What to do with the arguments.
  public enum Purpose: Hashable, Sendable {
    /// To run them as a command.
    ///
    /// `step`: the value that a step in them, such as `next`, was resolved to; nil: they have none.
    case run(step: String?)
    /// To say which value the step in them comes to now, and to change nothing.
    case resolve
    /// To draw a screen for the client.
    case screen(JSON)
  }

  /// A command line, without the program's name.
  public var arguments: [String]
  /// Where the files are that the arguments name; nil: in the owner's working directory.
  public var directory: String?
  /// Whether a person can be asked, and sees progress.
  public var hasTerminal: Bool
  public var purpose: Purpose

  public init(
    arguments: [String], directory: String? = nil, hasTerminal: Bool = false,
    purpose: Purpose = .run(step: nil)
  ) {
    self.arguments = arguments
    self.directory = directory
    self.hasTerminal = hasTerminal
    self.purpose = purpose
  }

  /// The first line of a client.
  public var json: JSON {
    var step: String?
    var screen = JSON.null
    switch purpose {
    case .run(let resolved): step = resolved
    case .screen(let wanted): screen = wanted
    case .resolve: break
    }
    return [
      "earshot": .integer(Self.version), "arguments": .array(arguments.map { .string($0) }),
      "directory": JSON(directory), "terminal": .bool(hasTerminal), "as": JSON(step),
      "resolve": .bool(purpose == .resolve), "screen": screen,
    ]
  }

  /// - Throws: why the owner does not take it.
  public init(line: [UInt8]) throws(Refusal) {
    guard let json = try? JSON(parsing: line) else { throw Refusal(why: "this is no request") }
    guard json["earshot"]?.wholeNumber == Self.version else {
      throw Refusal(
        why: "the earshot that owns the link speaks version \(Self.version) of requests")
    }
    guard let words = json["arguments"]?.elements, words.count <= 64 else {
      throw Refusal(why: "a request has at most 64 arguments")
    }
    arguments = words.compactMap(\.text)
    guard arguments.count == words.count else { throw Refusal(why: "arguments are texts") }
    directory = json["directory"]?.text
    hasTerminal = json["terminal"] == .bool(true)
    purpose =
      if let screen = json["screen"], screen != .null {
        .screen(screen)
      } else if json["resolve"]
        == .bool(true)
      { .resolve } else { .run(step: json["as"]?.text) }
  }

  /// A file that the client named, as the owner finds it.
  public func path(_ named: String) -> String {
    guard let directory, !named.hasPrefix("/"), directory.hasPrefix("/") else { return named }
    return "\(directory)/\(named)"
  }

  /// Why a request is not taken.
  public struct Refusal: Error, Hashable, Sendable {
    /// In words, for the person at the client's terminal.
    public var why: String

    public init(why: String) { self.why = why }
  }
}

/// A message of the owner of the link, on a line of its own.
public enum OwnerMessage: Hashable, Sendable {
  /// It runs a command of its own and serves nobody: a client that waits may be the next owner.
  case busy
  /// In answer to ``ClientMessage/ping``.
  case alive
  /// The first one of a command: the owner is awake, and the command may be done from here on.
  case begun
  /// The value that a step comes to; nil: the arguments have no step.
  case resolved(String?)
  /// For standard output.
  case output(String)
  /// For standard error.
  case message(String)
  /// For standard error, if that is a terminal: not a whole line, and soon out of date.
  case progress(String)
  /// A line of the person is wanted: the next ``ClientMessage/reply(_:text:)`` with this number.
  case ask(Int64)
  /// The last one of a command: its exit code.
  case end(ExitStatus)

  public var json: JSON {
    switch self {
    case .busy: ["busy": true]
    case .alive: ["alive": true]
    case .begun: ["begun": true]
    case .resolved(let value): ["resolved": JSON(value)]
    case .output(let text): ["output": .string(text)]
    case .message(let text): ["message": .string(text)]
    case .progress(let text): ["progress": .string(text)]
    case .ask(let number): ["ask": .integer(number)]
    case .end(let status): ["status": .integer(Int64(status.rawValue))]
    }
  }

  /// Nil: it is none.
  public init?(line: [UInt8]) {
    guard let member = (try? JSON(parsing: line))?.onlyMember else { return nil }
    switch (member.key, member.value) {
    case ("busy", true): self = .busy
    case ("alive", true): self = .alive
    case ("begun", true): self = .begun
    case ("resolved", let value): self = .resolved(value.text)
    case ("output", .string(let text)): self = .output(text)
    case ("message", .string(let text)): self = .message(text)
    case ("progress", .string(let text)): self = .progress(text)
    case ("ask", .integer(let number)): self = .ask(number)
    case ("status", .integer(let code)):
      self = .end(Int32(exactly: code).flatMap(ExitStatus.init) ?? .failed)
    default: return nil
    }
  }
}

/// A message of a client whose command runs, on a line of its own.
public enum ClientMessage: Hashable, Sendable {
  /// Asks an owner that has been silent for a while whether it is awake.
  case ping
  /// What the person typed when the owner asked; nil: there will be no answer.
  case reply(Int64, text: String?)

  public var json: JSON {
    switch self {
    case .ping: ["ping": true]
    case .reply(let number, let text): ["reply": .integer(number), "text": JSON(text)]
    }
  }

  /// Nil: it is none.
  public init?(line: [UInt8]) {
    guard let json = try? JSON(parsing: line) else { return nil }
    if json["ping"] == true {
      self = .ping
    } else if let number = json["reply"]?.wholeNumber {
      self = .reply(number, text: json["text"]?.text)
    } else {
      return nil
    }
  }
}

extension JSON {
  /// The member of an object that has one; nil: it is no such object.
  fileprivate var onlyMember: Member? {
    guard case .object(let members) = self, members.count == 1 else { return nil }
    return members.first
  }
}

extension LineConnection {
  /// Sends a value on a line of its own.
  public func send(_ json: JSON) async -> Bool { await send("\(json)".utf8) }

  /// Sends a message; false: the client is gone.
  public func send(_ message: OwnerMessage) async -> Bool { await send(message.json) }

  /// Sends a message; false: the owner is gone.
  public func send(_ message: ClientMessage) async -> Bool { await send(message.json) }
}
