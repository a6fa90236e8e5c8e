import Bluetooth
import BluetoothCodec

extension State {
  /// The headphone's name, unsanitised, or its address where it has none.
  public func name(of id: HeadphoneID) -> String {
    guard let headphone = headphones[id] else { return id.rawValue }
    return headphone.name.isEmpty ? headphone.address.address.description : headphone.name
  }

  /// Adds a line to the log.
  ///
  /// The log is all it reaches: nothing appears on the main page but the last event.
  ///
  /// - Returns: No effects, so that a handler of an action can end with it.
  mutating func note(
    _ level: LogLine.Level, _ headphone: HeadphoneID?, _ text: String, event: String? = nil,
    at timestamp: Timestamp
  ) -> [Effect] {
    log.append(
      LogLine(at: timestamp, level: level, headphone: headphone, text: text, event: event))
    return []
  }

  /// Shows a notice for 4 s, and logs it.
  ///
  /// A notice replaces the one that is shown, and restarts its timer. It is for what the user has
  /// just caused; what happens by itself belongs to the log.
  ///
  /// - Parameters:
  ///   - text: A sentence fragment without a full stop.
  ///   - headphone: The headphone that it is about, for the log.
  ///   - naming: Whether the notice begins with the headphone's name, for one that may not be shown.
  ///   - remedy: The command that helps, drawn with the key that it is bound to.
  ///   - level: Of the notice and the log line.
  ///   - timestamp: The time of the log line.
  /// - Returns: The effect that starts the timer.
  mutating func say(
    _ text: String, _ headphone: HeadphoneID? = nil, naming: Bool = false,
    remedy: UserCommand? = nil, level: LogLine.Level = .notice, at timestamp: Timestamp
  ) -> [Effect] {
    let name = naming ? headphone.map { "\(self.name(of: $0)): " } : nil
    notice = Notice((name ?? "") + text, remedy: remedy, level: level)
    return note(level, headphone, text, at: timestamp) + [
      .startTimer(.notice, .exactly(.seconds(4)))
    ]
  }

  /// Shows for 4 s why a key did nothing.
  ///
  /// Unlike ``say(_:_:naming:remedy:at:)`` it is no event: nothing has happened, so the main page
  /// does not list it, and the log has it from `debug` on.
  ///
  /// - Parameters:
  ///   - text: A sentence fragment without a full stop.
  ///   - headphone: The headphone that it is about, for the log.
  ///   - remedy: The command that helps, drawn with the key that it is bound to.
  ///   - timestamp: The time of the log line.
  mutating func explain(
    _ text: String, _ headphone: HeadphoneID? = nil, remedy: UserCommand? = nil,
    at timestamp: Timestamp
  ) -> [Effect] {
    notice = Notice(text, remedy: remedy)
    return note(.debug, headphone, text, at: timestamp) + [
      .startTimer(.notice, .exactly(.seconds(4)))
    ]
  }

  /// Shows a problem until the user closes it, and logs it.
  ///
  /// - Parameters:
  ///   - text: What happened.
  ///   - advice: What to do about it; empty where nothing can be done.
  ///   - headphone: The headphone that it is about, for the log.
  ///   - remedy: The command that helps, drawn with the key that it is bound to.
  ///   - timestamp: The time of the log line.
  mutating func complain(
    _ text: String, advice: String, _ headphone: HeadphoneID? = nil, remedy: UserCommand? = nil,
    at timestamp: Timestamp
  ) -> [Effect] {
    problem = Problem(text, advice: advice, remedy: remedy)
    return note(.error, headphone, text, at: timestamp)
  }

  /// Shows the mistakes in the configuration until the user closes them or the file is corrected.
  ///
  /// - Parameters:
  ///   - mistakes: One line each, "FILE:LINE: what"; empty once the file is correct.
  ///   - timestamp: The time of the log lines.
  mutating func report(_ mistakes: [String], at timestamp: Timestamp) -> [Effect] {
    if problem?.isOfConfiguration == true { problem = nil }
    guard let first = mistakes.first else { return [] }
    let advice =
      mistakes.count == 1 ? "" : "`earshot config check` lists all \(mistakes.count) mistakes."
    problem = Problem("in \(first)", advice: advice, isOfConfiguration: true)
    return mistakes.flatMap { note(.error, nil, $0, at: timestamp) }
  }

  /// Shows why a change of the configuration was not made; a theme that was tried goes again.
  mutating func report(
    _ change: ConfigurationChange, _ why: String, at timestamp: Timestamp
  ) -> [Effect] {
    var effects = complain("not saved: \(why)", advice: "earshot config edit", at: timestamp)
    if case .theme = change { effects.append(.showTheme(nil)) }
    if case .sound = change { soundRules = configuredSoundRules }
    return effects
  }

  /// Shows why a headphone's link or pairing failed, with the key that helps; a No of one's own is
  /// no failure.
  mutating func complain(
    about reason: FailureReason, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard reason != .security(.declined) else {
      return say("pairing cancelled", id, remedy: .pair, at: timestamp)
    }
    return complain(
      "\(name(of: id)): \(reason.displayText)", advice: reason.advice, id, remedy: reason.remedy,
      at: timestamp)
  }

  /// Logs an event that is unexpected in this state; it changes nothing.
  ///
  /// A late answer of a link that has ended is the usual case. The line helps with a defect report
  /// and is not worth the user's attention.
  mutating func ignore(
    _ what: String, _ headphone: HeadphoneID?, at timestamp: Timestamp
  ) -> [Effect] {
    note(.debug, headphone, "ignored: \(what)", at: timestamp)
  }
}
