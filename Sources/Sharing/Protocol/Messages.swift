package import CompanionRuntime
package import JSON

/// The first line that a client sends to the owner of the link: a command line and its purpose.
///
/// All messages are lines of JSON. An exchange, with some members omitted:
///
/// ```
/// {"earshot":1,"arguments":["anc","next"],"directory":"/home/me","handOver":true,…}
/// {"command":{"repeatable":true,"step":true,"limit":20000,…}}
/// {"begun":true}
/// {"resolved":"transparency"}
/// {"status":0}
/// ```
package struct Request: Hashable, Sendable {
  /// The protocol version, increased when an old program would misunderstand a new one.
  package static let version: Int64 = 1

  package enum Purpose: Hashable, Sendable {
    /// Runs the arguments as a command.
    ///
    /// `step` is the absolute value of a step such as `next`, resolved beforehand so that a retry
    /// has the same effect, or nil without a step.
    case run(step: String?)
    /// Resolves a step in the arguments to an absolute value, and changes nothing.
    case resolve
    /// Runs arguments that the client has not parsed, if an owner can run them.
    ///
    /// The first answer is ``OwnerMessage/command(_:)`` or ``OwnerMessage/declined``. A step is
    /// resolved first, and its value sent.
    case handOver
    case screen(JSON)
  }

  /// The command line without the program's name.
  package var arguments: [String]
  /// The client's working directory, or nil for the owner's.
  package var directory: String?
  package var hasTerminal: Bool
  package var style: TextStyle
  package var purpose: Purpose

  package init(
    arguments: [String], directory: String? = nil, hasTerminal: Bool = false,
    style: TextStyle = .plain, purpose: Purpose = .run(step: nil)
  ) {
    self.arguments = arguments
    self.directory = directory
    self.hasTerminal = hasTerminal
    self.style = style
    self.purpose = purpose
  }

  /// The request as JSON; members that do not apply are null.
  package var json: JSON {
    var step: String?
    var screen = JSON.null
    switch purpose {
    case .run(let resolved): step = resolved
    case .screen(let wanted): screen = wanted
    case .resolve, .handOver: break
    }
    return [
      "earshot": .integer(Self.version), "arguments": .array(arguments.map { .string($0) }),
      "directory": JSON(directory), "terminal": .bool(hasTerminal),
      "style": .string(style.ink.rawValue), "columns": JSON(style.columns), "as": JSON(step),
      "resolve": .bool(purpose == .resolve), "handOver": .bool(purpose == .handOver),
      "screen": screen,
    ]
  }

  /// Decodes a client's first line; throws for anything but a request of this version.
  package init(line: [UInt8]) throws(Refusal) {
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
      } else if json["handOver"] == true {
        .handOver
      } else if json["resolve"] == true {
        .resolve
      } else {
        .run(step: json["as"]?.text)
      }
  }

  /// Resolves a path of the client's command line against the client's working directory.
  package func path(_ named: String) -> String {
    guard let directory, !named.hasPrefix("/"), directory.hasPrefix("/") else { return named }
    return "\(directory)/\(named)"
  }

  package struct Refusal: Error, Hashable, Sendable {
    package var why: String

    package init(why: String) { self.why = why }
  }
}

package protocol LineMessage: Sendable {
  var json: JSON { get }

  /// Decodes the message, or returns nil for any other object.
  init?(json: JSON)
}

extension LineMessage {
  /// Decodes a line, or returns nil if it is not such a message.
  package init?(line: [UInt8]) {
    guard let json = try? JSON(parsing: line) else { return nil }
    self.init(json: json)
  }
}

/// A message from the owner of the link: an object with one member.
///
/// Messages about one command have this order:
///
/// ```
/// [busy] [command] begun *(output / message / progress / ask / alive / resolved) status
/// ```
///
/// Clients skip unknown lines.
package enum OwnerMessage: LineMessage, Hashable, Sendable {
  /// The owner runs its own command and serves no clients.
  case busy
  /// The traits of the arguments of a ``Request/Purpose/handOver``, which the owner runs.
  case command(CommandTraits)
  /// The client has to parse the arguments of a ``Request/Purpose/handOver``; nothing follows.
  case declined
  case alive
  /// The command starts, and may take effect from now on.
  case begun
  /// The absolute value of a step, or nil if the arguments have none.
  case resolved(String?)
  case output(String)
  case message(String)
  /// Text for standard error if that is a terminal: a line that the next one overwrites.
  case progress(String)
  /// Requests a line of input; ``ClientMessage/reply(_:text:)`` answers with the same number.
  case ask(Int64)
  case end(ExitStatus)

  package var json: JSON {
    switch self {
    case .busy: ["busy": true]
    case .command(let traits): ["command": traits.json]
    case .declined: ["declined": true]
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

  package init?(json: JSON) {
    guard let member = json.onlyMember else { return nil }
    switch (member.key, member.value) {
    case ("busy", true): self = .busy
    case ("command", let traits): self = .command(CommandTraits(json: traits))
    case ("declined", true): self = .declined
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

/// The properties of a command that its client needs if an owner runs it.
package struct CommandTraits: Hashable, Sendable {
  /// Whether the command runs until it is interrupted, and then moves to the next owner.
  package var isEndless: Bool
  /// Whether the command is idempotent, and is retried if its owner exits.
  package var isRepeatable: Bool
  /// Whether the command needs a connection, and waits for an owner that runs its own command.
  package var needsLink: Bool
  /// Whether the command has a step such as `next`; nothing is changed until it is resolved.
  package var hasStep: Bool
  /// The time that an owner may be stopped, silent or busy, or nil for no limit.
  package var limit: Duration?

  package init(
    isEndless: Bool = false, isRepeatable: Bool = true, needsLink: Bool = true,
    hasStep: Bool = false, limit: Duration? = .seconds(20)
  ) {
    self.isEndless = isEndless
    self.isRepeatable = isRepeatable
    self.needsLink = needsLink
    self.hasStep = hasStep
    self.limit = limit
  }

  fileprivate var json: JSON {
    [
      "endless": .bool(isEndless), "repeatable": .bool(isRepeatable), "link": .bool(needsLink),
      "step": .bool(hasStep), "limit": JSON(limit.map { Int($0 / .milliseconds(1)) }),
    ]
  }

  /// Decodes the object; missing members have their defaults, as a later version may omit them.
  fileprivate init(json: JSON) {
    self.init(
      isEndless: json["endless"] == true, isRepeatable: json["repeatable"] != false,
      needsLink: json["link"] != false, hasStep: json["step"] == true,
      limit: json["limit"].map { $0.wholeNumber.map { .milliseconds($0) } } ?? .seconds(20))
  }
}

/// A message from a client whose command is running.
package enum ClientMessage: LineMessage, Hashable, Sendable {
  /// Checks an owner that has been silent; the answer is ``OwnerMessage/alive``.
  case ping
  /// The line that the user typed, or nil without an answer; the number is that of the request.
  case reply(Int64, text: String?)

  package var json: JSON {
    switch self {
    case .ping: ["ping": true]
    case .reply(let number, let text): ["reply": .integer(number), "text": JSON(text)]
    }
  }

  package init?(json: JSON) {
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
  fileprivate var onlyMember: Member? {
    guard case .object(let members) = self, members.count == 1 else { return nil }
    return members.first
  }
}

extension LineConnection {
  package func send(_ json: JSON) async -> Bool { await send("\(json)".utf8) }

  /// Sends a message; returns false if the other process is gone.
  package func send(_ message: some LineMessage) async -> Bool { await send(message.json) }
}
