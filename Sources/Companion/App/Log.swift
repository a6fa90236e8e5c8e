/// The newest log lines, whose hash only uses the total, which every line changes.
package struct Log: Hashable, Sendable {
  package static let capacity = 500

  /// The newest lines, oldest first, at most ``capacity``.
  package struct Lines: RandomAccessCollection, Hashable, Sendable {
    /// The lines of a chunk; copies of the state share all chunks, so appending copies only the
    /// last.
    private static let size = 50
    private var chunks: [[LogLine]] = []

    package var startIndex: Int { Swift.max(0, endIndex - Log.capacity) }
    package var endIndex: Int {
      guard let last = chunks.last else { return 0 }
      return (chunks.count - 1) * Self.size + last.count
    }

    /// The line at an index; dropping old lines moves the others to lower indices.
    package fileprivate(set) subscript(index: Int) -> LogLine {
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

    package static func == (a: Lines, b: Lines) -> Bool { a.elementsEqual(b) }

    package func hash(into hasher: inout Hasher) { for line in self { hasher.combine(line) } }
  }

  package private(set) var lines = Lines()
  package private(set) var total = 0

  package init() {}

  package mutating func append(_ line: LogLine) {
    lines.append(line)
    total += 1
  }

  mutating func update(since total: Int, _ change: (inout LogLine) -> Void) {
    for index in lines.indices.suffix(max(0, self.total - total)) { change(&lines[index]) }
  }

  package var lastEvent: LogLine? { lines.last { $0.level >= .info } }

  package static func == (a: Log, b: Log) -> Bool { a.total == b.total && a.lines == b.lines }

  package func hash(into hasher: inout Hasher) { hasher.combine(total) }
}

/// A line of the log, whose ``subsystem`` and ``link`` are set after its action was reduced.
package struct LogLine: Hashable, Sendable {
  /// The severity of a line, ascending; PDUs are traced only while a screen shows `trace`.
  package enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
    case trace
    case debug, info, notice, warning, error

    package static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  package enum Subsystem: String, Hashable, Sendable, CaseIterable {
    case app
    case radio
    case link
    case pairing
    case headphone
    case firmware
    case audio
    case att
  }

  package var at: Timestamp
  package var level: Level
  package var subsystem: Subsystem
  /// The headphone concerned; nil for the program or computer.
  package var headphone: HeadphoneID?
  package var link: LinkState?
  /// The text, not sanitised where it quotes a headphone.
  package var text: String
  /// The meaning of a technical text in plain words.
  package var event: String?
  package var packet: PacketDetail?
  /// The change of a headphone's sound that the line reports, if any.
  package var sound: SoundChange?

  package init(
    at: Timestamp, level: Level, subsystem: Subsystem = .app, headphone: HeadphoneID? = nil,
    link: LinkState? = nil, text: String, event: String? = nil, packet: PacketDetail? = nil,
    sound: SoundChange? = nil
  ) {
    self.at = at
    self.level = level
    self.subsystem = subsystem
    self.headphone = headphone
    self.link = link
    self.text = text
    self.event = event
    self.packet = packet
    self.sound = sound
  }
}

package struct PacketDetail: Hashable, Sendable {
  /// The command's number (docs/protocol.md section 6); nil outside the command channel.
  package var command: UInt8?
  package var sequence: UInt8?
  package var bytes: [UInt8]
  package var error: String?

  package init(
    bytes: [UInt8], command: UInt8? = nil, sequence: UInt8? = nil, error: String? = nil
  ) {
    self.bytes = bytes
    self.command = command
    self.sequence = sequence
    self.error = error
  }
}

extension PacketDetail {
  /// The details as text: "command 20, sequence 7, 9 bytes, error: …".
  package var displayText: String {
    var parts: [String] = []
    if let command { parts.append("command \(hexadecimalText([command]))") }
    if let sequence { parts.append("sequence \(sequence)") }
    parts.append("\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes")")
    if let error { parts.append("error: \(error)") }
    return parts.joined(separator: ", ")
  }
}

extension LogLine {
  /// Returns the whole line for copying, not sanitised, with the bytes of a packet if requested.
  package func displayText(name: String?, withBytes: Bool) -> String {
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

  /// Returns the text without the headphone's name: "is paired" for "Aurora Pro is paired".
  package func text(after name: String) -> String {
    for beginning in ["\(name): ", "\(name) "] where text.hasPrefix(beginning) {
      return String(text.dropFirst(beginning.count))
    }
    return text
  }
}
