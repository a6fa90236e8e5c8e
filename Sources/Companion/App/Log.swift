/// The log in memory, newest line last, bounded.
///
/// Two logs are equal if they have the same total and the same lines; the hash uses the total only,
/// which is cheap and changes with every line.
public struct Log: Hashable, Sendable {
  /// The number of lines that are kept; older ones are dropped.
  public static let capacity = 500

  /// The newest lines, oldest first, at most ``capacity``.
  public struct Lines: RandomAccessCollection, Hashable, Sendable {
    /// The lines of a chunk.
    ///
    /// A state that waits for an observer shares the chunks, and a line that is added meanwhile
    /// copies the last of them only.
    private static let size = 50
    /// All of them full but the last.
    private var chunks: [[LogLine]] = []

    public var startIndex: Int { Swift.max(0, endIndex - Log.capacity) }
    public var endIndex: Int {
      guard let last = chunks.last else { return 0 }
      return (chunks.count - 1) * Self.size + last.count
    }

    /// A line by its place, which is another one after the oldest lines are dropped.
    public fileprivate(set) subscript(index: Int) -> LogLine {
      get { chunks[index / Self.size][index % Self.size] }
      set { chunks[index / Self.size][index % Self.size] = newValue }
    }

    fileprivate mutating func append(_ line: LogLine) {
      if chunks.last.map({ $0.count == Self.size }) ?? true {
        if chunks.count > Log.capacity / Self.size { chunks.removeFirst() }
        chunks.append([])
      }
      chunks[chunks.count - 1].append(line)
    }

    public static func == (a: Lines, b: Lines) -> Bool { a.elementsEqual(b) }

    public func hash(into hasher: inout Hasher) { for line in self { hasher.combine(line) } }
  }

  /// The lines that are kept.
  public private(set) var lines = Lines()
  /// The number of lines ever added, including dropped ones.
  public private(set) var total = 0

  public init() {}

  /// Adds a line at the end; the oldest is dropped where there is no room.
  public mutating func append(_ line: LogLine) {
    lines.append(line)
    total += 1
  }

  /// Changes the lines that were added since there were so many.
  ///
  /// `reduce` completes the lines of one action with the state of the link afterwards in this way.
  ///
  /// - Parameters:
  ///   - total: The value of ``total`` before the lines were added.
  ///   - change: Called for each of them, the oldest first.
  mutating func update(since total: Int, _ change: (inout LogLine) -> Void) {
    for index in lines.indices.suffix(max(0, self.total - total)) { change(&lines[index]) }
  }

  /// The newest line for the status line.
  public var lastEvent: LogLine? { lines.last { $0.level >= .info } }

  public static func == (a: Log, b: Log) -> Bool { a.total == b.total && a.lines == b.lines }

  public func hash(into hasher: inout Hasher) { hasher.combine(total) }
}

/// A line of the log.
///
/// A line is complete when the action that caused it has been reduced: ``subsystem`` and ``link``
/// are filled in then.
public struct LogLine: Hashable, Sendable {
  /// The severity of a line, ascending.
  ///
  /// A screen's log page begins at `info`. With `trace`, every PDU is traced, which costs time on
  /// each packet and is therefore only on while a screen asks for it.
  public enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Each packet with its raw bytes.
    case trace
    case debug, info, notice, warning, error

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  /// The part of the program that a line is about.
  public enum Subsystem: String, Hashable, Sendable, CaseIterable {
    /// Keys, settings, files.
    case app
    /// Adapter and scan.
    case radio
    case link
    case pairing
    /// Values and commands of the headphone.
    case headphone
    case firmware
    case audio
    /// ATT, PDU by PDU.
    case att
  }

  /// When it happened.
  public var at: Timestamp
  /// Its severity.
  public var level: Level
  /// The part of the program that a line is about.
  public var subsystem: Subsystem
  /// The headphone that it is about; nil: the program or the machine.
  public var headphone: HeadphoneID?
  /// The state of that headphone's link at that time.
  public var link: LinkState?
  /// Unsanitised where it quotes a headphone.
  public var text: String
  /// The meaning in plain words, where the text is technical; nil: the text says it.
  public var event: String?
  /// The packet that it is about; nil: none.
  public var packet: PacketDetail?

  public init(
    at: Timestamp, level: Level, subsystem: Subsystem = .app, headphone: HeadphoneID? = nil,
    link: LinkState? = nil, text: String, event: String? = nil, packet: PacketDetail? = nil
  ) {
    self.at = at
    self.level = level
    self.subsystem = subsystem
    self.headphone = headphone
    self.link = link
    self.text = text
    self.event = event
    self.packet = packet
  }
}

/// The numbers of a packet in the log.
public struct PacketDetail: Hashable, Sendable {
  /// The command's number (docs/protocol.md section 6); nil: it is no packet of the command
  /// channel.
  public var command: UInt8?
  /// 1 to 255; nil: it is no packet of the command channel.
  public var sequence: UInt8?
  /// The bytes of the whole PDU.
  public var bytes: [UInt8]
  /// What it says went wrong; nil: nothing.
  public var error: String?

  public init(
    bytes: [UInt8], command: UInt8? = nil, sequence: UInt8? = nil, error: String? = nil
  ) {
    self.bytes = bytes
    self.command = command
    self.sequence = sequence
    self.error = error
  }
}

extension PacketDetail {
  /// "command 20, sequence 7, 9 bytes, error: …".
  public var displayText: String {
    var parts: [String] = []
    if let command { parts.append("command \(hexadecimalText([command]))") }
    if let sequence { parts.append("sequence \(sequence)") }
    parts.append("\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes")")
    if let error { parts.append("error: \(error)") }
    return parts.joined(separator: ", ")
  }
}

extension LogLine {
  /// All of it in one line, as it is copied; unsanitised.
  ///
  /// - Parameters:
  ///   - name: The headphone's name; nil: the line is about none.
  ///   - withBytes: Whether the bytes of a packet follow, in hexadecimal.
  public func displayText(name: String?, withBytes: Bool) -> String {
    var parts = ["\(at.clock) \(level) \(subsystem.rawValue)"]
    if let name { parts.append(name) }
    if let link { parts.append("(\(link.displayText))") }
    parts.append(name.map { text(after: $0) } ?? text)
    if let packet {
      parts.append("[\(packet.displayText)]")
      if withBytes { parts.append(hexadecimalText(packet.bytes)) }
    }
    return parts.joined(separator: " ")
  }

  /// What happened, without the headphone's name that the text may begin with: "is paired" of
  /// "Aurora Pro is paired".
  public func text(after name: String) -> String {
    for beginning in ["\(name): ", "\(name) "] where text.hasPrefix(beginning) {
      return String(text.dropFirst(beginning.count))
    }
    return text
  }
}
