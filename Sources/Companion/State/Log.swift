/// What has happened, newest last, bounded.
public struct Log: Hashable, Sendable {
  /// Lines that are kept; older ones are dropped.
  public static let capacity = 500

  /// Up to twice the capacity, so that dropping the oldest lines costs little per line.
  private var kept: [LogLine] = []
  /// All lines ever, those dropped included.
  public private(set) var total = 0

  public init() {}

  /// The oldest first, at most ``capacity``.
  public var lines: ArraySlice<LogLine> { kept.suffix(Self.capacity) }

  /// Adds a line at the end; the oldest is dropped where there is no room.
  public mutating func append(_ line: LogLine) {
    if kept.count == 2 * Self.capacity { kept.removeFirst(Self.capacity) }
    kept.append(line)
    total += 1
  }

  /// Changes the lines that were added since there were so many.
  mutating func update(since total: Int, _ change: (inout LogLine) -> Void) {
    let count = min(max(0, self.total - total), kept.count)
    for index in kept.indices.suffix(count) { change(&kept[index]) }
  }

  /// The newest line that a person should see on the status line.
  public var lastEvent: LogLine? { lines.last { $0.level >= .info } }

  public static func == (a: Log, b: Log) -> Bool { a.total == b.total && a.lines == b.lines }

  public func hash(into hasher: inout Hasher) { hasher.combine(total) }
}

/// One thing that happened.
public struct LogLine: Hashable, Sendable {
  /// How grave a line is, the gravest last.
  public enum Level: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// With raw bytes.
    case trace
    case debug, info, notice, warning, error

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
  }

  /// What part of the program tells it.
  public enum Subsystem: String, Hashable, Sendable, CaseIterable {
    /// Keys, settings, files.
    case app
    /// Adapter and scan.
    case radio
    case link
    case pairing
    /// What the headphone tells and is told.
    case headphone
    case firmware
    case audio
    /// ATT, PDU by PDU.
    case att
  }

  /// When it happened.
  public var at: Timestamp
  /// How grave it is.
  public var level: Level
  /// What part of the program tells it.
  public var subsystem: Subsystem
  /// Whom it is about; nil: the program or the machine.
  public var headphone: HeadphoneID?
  /// Of that headphone, when it was told.
  public var link: LinkState?
  /// Unsanitised where it quotes a headphone.
  public var text: String
  /// Nil: it is not about a packet.
  public var packet: PacketDetail?

  public init(
    at: Timestamp, level: Level, subsystem: Subsystem = .app, headphone: HeadphoneID? = nil,
    link: LinkState? = nil, text: String, packet: PacketDetail? = nil
  ) {
    self.at = at
    self.level = level
    self.subsystem = subsystem
    self.headphone = headphone
    self.link = link
    self.text = text
    self.packet = packet
  }
}

/// The numbers of a packet on the link.
public struct PacketDetail: Hashable, Sendable {
  /// Of docs/protocol.md section 6; nil: it is no packet of the command channel.
  public var command: UInt8?
  /// 1 to 255; nil: it is no packet of the command channel.
  public var sequence: UInt8?
  /// Of the whole PDU.
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
