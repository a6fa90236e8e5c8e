import BluetoothCodec
import BluetoothRadio

extension State {
  package func name(of id: HeadphoneID) -> String {
    headphones[id].map(headphones.label) ?? id.rawValue
  }

  mutating func note(
    _ level: LogLine.Level, _ headphone: HeadphoneID?, _ text: String, event: String? = nil,
    sound: SoundChange? = nil, at timestamp: Timestamp
  ) -> [Effect] {
    log.append(
      LogLine(
        at: timestamp, level: level, headphone: headphone, text: text, event: event, sound: sound))
    return []
  }

  /// Shows a notice for 4 s, and logs it.
  ///
  /// For what the user has just caused; other events only belong in the log.
  ///
  /// - Parameters:
  ///   - text: a sentence fragment without a full stop.
  ///   - naming: whether to prepend the headphone's name, as it may not be shown.
  ///   - remedy: the command that helps, drawn with its key.
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
  /// Unlike ``say(_:_:naming:remedy:at:)``, it logs at `debug`, and neither the main page nor other
  /// screens show it: nothing has happened.
  ///
  /// - Parameter text: a sentence fragment without a full stop.
  mutating func explain(
    _ text: String, _ headphone: HeadphoneID? = nil, remedy: UserCommand? = nil,
    at timestamp: Timestamp
  ) -> [Effect] {
    notice = Notice(text, remedy: remedy, isAnswer: true)
    return note(.debug, headphone, text, at: timestamp) + [
      .startTimer(.notice, .exactly(.seconds(4)))
    ]
  }

  /// Shows a problem until the user closes it, and logs it.
  mutating func complain(
    _ text: String, advice: String, _ headphone: HeadphoneID? = nil, remedy: UserCommand? = nil,
    at timestamp: Timestamp
  ) -> [Effect] {
    problem = Problem(text, advice: advice, remedy: remedy)
    return note(.error, headphone, text, at: timestamp)
  }

  /// Shows mistakes in the configuration until the user closes them or corrects the file.
  ///
  /// - Parameter mistakes: a line each, "FILE:LINE: what", or none if the file is correct.
  mutating func report(_ mistakes: [String], at timestamp: Timestamp) -> [Effect] {
    if problem?.end == .configurationCorrected { problem = nil }
    guard let first = mistakes.first else { return [] }
    let advice =
      mistakes.count == 1 ? "" : "`earshot config check` lists all \(mistakes.count) mistakes."
    problem = Problem("in \(first)", advice: advice, end: .configurationCorrected)
    return mistakes.flatMap { note(.error, nil, $0, at: timestamp) }
  }

  /// Shows why the configuration was not changed, and reverts the attempted theme or setting.
  mutating func report(
    _ change: ConfigurationChange, _ why: String, at timestamp: Timestamp
  ) -> [Effect] {
    var effects = complain("not saved: \(why)", advice: "earshot config edit", at: timestamp)
    if case .theme = change { effects.append(.showTheme(nil)) }
    if case .sound = change { soundRules = preferences.sound }
    return effects
  }

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

  /// Logs an event that is unexpected in this state, usually a late one of an ended link.
  mutating func ignore(
    _ what: String, _ headphone: HeadphoneID?, at timestamp: Timestamp
  ) -> [Effect] {
    note(.debug, headphone, "ignored: \(what)", at: timestamp)
  }
}
