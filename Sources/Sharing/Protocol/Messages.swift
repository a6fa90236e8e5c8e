public import CompanionRuntime
public import JSON

/// The first line that a client sends to the owner of the link: a command line and its purpose.
///
/// All messages are lines of JSON. This one carries the version of the protocol, so that different
/// versions of the program never misunderstand each other:
///
/// ```
/// {"earshot":1,"arguments":["anc","next"],"directory":"/home/me","terminal":true,"as":null,"resolve":true,"screen":null}
/// {"begun":true}
/// {"resolved":"transparency"}
/// {"status":0}
/// ```
public struct Request: Hashable, Sendable {
  /// Counts up when an old program would misunderstand a new one.
  public static let version: Int64 = 1

  /// The way in which the owner treats the arguments.
  public enum Purpose: Hashable, Sendable {
    /// Runs them as a command.
    ///
    /// `step`: the absolute value that a step such as `next` was resolved to, so that a retry has
    /// the same effect; nil: the arguments have no step.
    case run(step: String?)
    /// Resolves the step in them to an absolute value, and changes nothing.
    case resolve
    /// Draws a screen for the client.
    case screen(JSON)
  }

  /// A command line, without the program's name.
  public var arguments: [String]
  /// The client's working directory, for relative paths; nil: the owner's.
  public var directory: String?
  /// Whether the client can ask its user.
  public var hasTerminal: Bool
  /// How the client's standard output takes results.
  public var style: TextStyle
  public var purpose: Purpose

  public init(
    arguments: [String], directory: String? = nil, hasTerminal: Bool = false,
    style: TextStyle = .plain, purpose: Purpose = .run(step: nil)
  ) {
    self.arguments = arguments
    self.directory = directory
    self.hasTerminal = hasTerminal
    self.style = style
    self.purpose = purpose
  }

  /// The first line of a client.
  ///
  /// Every member is always there, null where it does not apply.
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
      "directory": JSON(directory), "terminal": .bool(hasTerminal),
      "style": .string(style.ink.rawValue), "columns": JSON(style.columns), "as": JSON(step),
      "resolve": .bool(purpose == .resolve), "screen": screen,
    ]
  }

  /// Decodes a client's first line.
  ///
  /// - Throws: ``Refusal`` for anything but a request of this version.
  public init(line: [UInt8]) throws(Refusal) {
    guard let json = try? JSON(parsing: line) else { throw Refusal(why: "this is not a request") }
    guard json["earshot"]?.wholeNumber == Self.version else {
      throw Refusal(
        why: "the earshot that owns the link speaks version \(Self.version) of requests")
    }
    guard let words = json["arguments"]?.elements, words.count <= 64 else {
      throw Refusal(why: "a request has at most 64 arguments")
    }
    arguments = words.compactMap(\.text)
    guard arguments.count == words.count else { throw Refusal(why: "arguments must be strings") }
    directory = json["directory"]?.text
    hasTerminal = json["terminal"] == .bool(true)
    style = TextStyle(
      json["style"]?.text.flatMap(TextStyle.Ink.init) ?? .plain,
      columns: json["columns"]?.wholeNumber.flatMap { Int(exactly: $0) })
    purpose =
      if let screen = json["screen"], screen != .null {
        .screen(screen)
      } else if json["resolve"]
        == .bool(true)
      { .resolve } else { .run(step: json["as"]?.text) }
  }

  /// A path of the client's command line, resolved against the client's working directory.
  ///
  /// A client's relative path must not be resolved against the owner's folder, which is another
  /// one.
  public func path(_ named: String) -> String {
    guard let directory, !named.hasPrefix("/"), directory.hasPrefix("/") else { return named }
    return "\(directory)/\(named)"
  }

  /// Why the owner does not accept a request.
  public struct Refusal: Error, Hashable, Sendable {
    /// For the user at the client's terminal.
    public var why: String

    public init(why: String) { self.why = why }
  }
}

/// A message between two processes: a line of JSON.
public protocol LineMessage: Sendable {
  /// The object that goes over the socket.
  var json: JSON { get }

  /// - Returns: nil if the object is no such message.
  init?(json: JSON)
}

extension LineMessage {
  /// - Returns: nil if the line is no such message.
  public init?(line: [UInt8]) {
    guard let json = try? JSON(parsing: line) else { return nil }
    self.init(json: json)
  }
}

/// A message of the owner of the link.
///
/// Each is an object with one member. Messages about one command come in this order:
///
/// ```
/// [busy] begun *(output / message / progress / ask / alive) [resolved] status
/// ```
///
/// A client skips lines that it does not know, so that new messages can be added.
public enum OwnerMessage: LineMessage, Hashable, Sendable {
  /// It runs a command of its own and serves no clients: one that waits may be the next owner.
  case busy
  /// The answer to ``ClientMessage/ping``.
  case alive
  /// The first message about a command, which may take effect from now on.
  case begun
  /// The absolute value of a step; nil: the arguments have none.
  case resolved(String?)
  /// For standard output.
  case output(String)
  /// For standard error.
  case message(String)
  /// For standard error, if that is a terminal: a line that the next one overwrites.
  case progress(String)
  /// Asks for a line of input, which ``ClientMessage/reply(_:text:)`` with this number answers.
  case ask(Int64)
  /// The last message about a command: its exit status.
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

  public init?(json: JSON) {
    guard let member = json.onlyMember else { return nil }
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

/// A message of a client whose command runs.
///
/// `{"ping":true}`, or `{"reply":1,"text":"y"}`.
public enum ClientMessage: LineMessage, Hashable, Sendable {
  /// Checks an owner that has been silent for a while; it answers ``OwnerMessage/alive``.
  case ping
  /// The line that the user typed when the owner asked; nil: there is no answer.
  case reply(Int64, text: String?)

  public var json: JSON {
    switch self {
    case .ping: ["ping": true]
    case .reply(let number, let text): ["reply": .integer(number), "text": JSON(text)]
    }
  }

  public init?(json: JSON) {
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
  /// The only member of an object; nil: it has none or several, or is no object.
  fileprivate var onlyMember: Member? {
    guard case .object(let members) = self, members.count == 1 else { return nil }
    return members.first
  }
}

extension LineConnection {
  /// Sends a value on a line of its own; false: the other process is gone.
  public func send(_ json: JSON) async -> Bool { await send("\(json)".utf8) }

  /// Sends a message; false: the other process is gone.
  public func send(_ message: some LineMessage) async -> Bool { await send(message.json) }
}
