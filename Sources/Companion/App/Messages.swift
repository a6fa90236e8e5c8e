extension State {
  /// Adds a line to the log.
  mutating func note(
    _ level: LogLine.Level, _ headphone: HeadphoneID?, _ text: String, at timestamp: Timestamp
  ) -> [Effect] {
    log.append(LogLine(at: timestamp, level: level, headphone: headphone, text: text))
    return []
  }

  /// Shows a notice for 4 s, and logs it.
  mutating func say(
    _ text: String, _ headphone: HeadphoneID? = nil, remedy: UserCommand? = nil,
    at timestamp: Timestamp
  ) -> [Effect] {
    notice = Notice(text, remedy: remedy)
    return note(.notice, headphone, text, at: timestamp) + [
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

  /// Shows the mistakes in the configuration until the user closes them or the file is corrected.
  mutating func report(_ mistakes: [String], at timestamp: Timestamp) -> [Effect] {
    if problem?.isOfConfiguration == true { problem = nil }
    guard let first = mistakes.first else { return [] }
    let advice =
      mistakes.count == 1 ? "" : "`earshot config check` tells all \(mistakes.count) mistakes."
    problem = Problem("in \(first)", advice: advice, isOfConfiguration: true)
    return mistakes.flatMap { note(.error, nil, $0, at: timestamp) }
  }

  /// Shows why a headphone's link or pairing failed, with the key that helps.
  mutating func complain(
    about reason: FailureReason, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    complain(
      "\(name(of: id)): \(reason.displayText)", advice: reason.advice, id, remedy: reason.remedy,
      at: timestamp)
  }

  /// Logs an event that is unexpected in this state; it changes nothing.
  mutating func ignore(
    _ what: String, _ headphone: HeadphoneID?, at timestamp: Timestamp
  ) -> [Effect] {
    note(.debug, headphone, "ignored: \(what)", at: timestamp)
  }
}
