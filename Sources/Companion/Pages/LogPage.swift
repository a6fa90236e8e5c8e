import HeadphoneProtocols

extension UserCommand {
  package static let log = UserCommand(
    "log", keys: ["L"], "log", hint: 120, label: "Log"
  ) { state, _ in state.open(.log(line: 0)) }
}

extension PageKind {
  package static let log = PageKind(
    "Log",
    commands: [
      PageCommand(.filter, "show only lines with a text", label: "Search"),
      PageCommand(.left, "less severe lines as well", label: "Level") { state, _ in
        state.stepLogLevel(by: -1)
      },
      PageCommand(.right, "more severe lines only", label: "Level") { state, _ in
        state.stepLogLevel(by: 1)
      },
      PageCommand(.otherPanel, "next source", label: "Source") { state, _ in
        state.stepLogSubsystem(by: 1)
      },
      PageCommand(.previousPanel, "previous source") { state, _ in
        state.stepLogSubsystem(by: -1)
      },
      PageCommand(
        .copy, "copy what is shown", currentLabel: { $0.logLines.isEmpty ? nil : "Copy" }
      ) { $0.copyLog(at: $1) },
      PageCommand(
        .bottom, "newest line, which is followed",
        currentLabel: { $0.page.line == 0 ? nil : "Follow" }),
      PageCommand(.top, "oldest line"),
      PageCommand(.log, "close the page"),
    ] + PageCommand.lines,
    lines: { $0.logLines.map { PageLine($0.text, copied: nil) } },
    search: PageSearch(
      title: "FILTER THE LOG", explanation: "Shows only lines with this text.", narrows: true))
}

extension State {
  /// The lines of the log page, newest first, filtered by level, subsystem and text.
  package var logLines: [LogLine] {
    let wanted = filter.lowercased()
    return log.lines.reversed().filter { line in
      line.level >= logLevel && (logSubsystem == nil || line.subsystem == logSubsystem)
        && (wanted.isEmpty || line.text.lowercased().contains(wanted))
    }
  }

  fileprivate mutating func stepLogSubsystem(by step: Int) -> [Effect] {
    let all: [LogLine.Subsystem?] = [nil] + LogLine.Subsystem.allCases
    let place = (all.firstIndex(of: logSubsystem) ?? 0) + step + all.count
    logSubsystem = all[place % all.count]
    page = .log(line: 0)
    return []
  }

  /// Changes the level; below info, every PDU is traced, which costs time.
  fileprivate mutating func stepLogLevel(by step: Int) -> [Effect] {
    guard let level = LogLine.Level(rawValue: logLevel.rawValue + step) else { return [] }
    defer { logLevel = level }
    page = .log(line: 0)
    return followPackets(from: logLevel, to: level)
  }

  /// Starts or stops tracing of PDUs after the level changed; other screens may still need it.
  mutating func followPackets(from old: LogLine.Level, to new: LogLine.Level) -> [Effect] {
    let was = isTracing
    tracers += (new < .info ? 1 : 0) - (old < .info ? 1 : 0)
    return isTracing == was ? [] : [.trace(isOn: isTracing)]
  }

  /// Copies the newest lines, up to the 48,000 bytes that terminals accept in one OSC 52.
  fileprivate mutating func copyLog(at timestamp: Timestamp) -> [Effect] {
    var lines: [String] = []
    var size = 0
    for line in logLines {
      let name = line.headphone.map { self.name(of: $0) }
      let words = displayable(line.displayText(name: name, withBytes: logLevel == .trace))
      size += words.utf8.count + 1
      guard size <= 48_000 else { break }
      lines.append(words)
    }
    guard !lines.isEmpty else { return explain("nothing to copy", at: timestamp) }
    let text = lines.reversed().joined(separator: "\n") + "\n"
    return [.copy(text)]
      + say(
        "\(lines.count) \(lines.count == 1 ? "line" : "lines") copied, if the terminal allows it",
        at: timestamp)
  }

  mutating func trace(
    _ level: LogLine.Level, _ id: HeadphoneID, _ text: String, _ packet: PacketDetail,
    at timestamp: Timestamp
  ) -> [Effect] {
    log.append(
      LogLine(at: timestamp, level: level, headphone: id, text: text, packet: packet))
    return []
  }

  mutating func completeLog(since total: Int, _ action: Action) {
    let links = Dictionary(
      headphones.map { ($0.id, $0.link) }, uniquingKeysWith: { first, _ in first })
    log.update(since: total) { line in
      line.subsystem = action.subsystem
      line.link = line.headphone.flatMap { links[$0] }
    }
  }
}

extension Action {
  var subsystem: LogLine.Subsystem {
    switch self {
    case .adapterChanged, .scan, .discovered: .radio
    case .link, .measured: .link
    case .pairing: .pairing
    case .headphone, .commandEnded, .equaliser, .inspection, .correction:
      .headphone
    case .firmware: .firmware
    case .audio, .audioLinks, .configured, .keyHandlerChanged, .playersPaused, .audioCommandFailed:
      .audio
    case .traffic: .att
    default: .app
    }
  }
}
