internal import Companion
internal import HeadphoneProtocols

/// A line of the firmware page.
///
/// Lines are made for the stage of the update first and fitted to the rows then, like those of a
/// panel: refusals stay longest.
///
/// ```
/// ╭─┤ FIRMWARE ├─────────────────────────╮
/// │ Running   1.4.2                      │
/// │ Image     /home/me/Downloads/aurora… │
/// │                                      │
/// │ ✗ The file is cut off: 4096 of 77959 │
/// │   bytes are there.                   │
/// │   Download the file again.           │
/// ╰──────────────────────────────────────╯
/// ```
struct FirmwareLine: Hashable {
  /// The content of a line.
  enum Content: Hashable {
    /// An empty row.
    case space
    /// A label, and its value in a column of its own.
    case fact(label: String, value: String)
    /// A row of a wrapped sentence, with a mark if it begins one.
    case sentence(String, mark: Mark?, role: Role)
    /// The progress, 0 to 100 %.
    case bar(percent: Int)
  }

  /// The finding of a check; `open`: only the headphone can decide.
  enum Mark: Hashable { case passed, open, refused }

  /// What is drawn.
  var content: Content
  /// How long the line stays where rows are few.
  var importance: Importance
}

extension FirmwareLine: PanelLine {}

extension Drawing {
  /// The page's description of a headphone's firmware, wrapped to `columns`.
  func firmwareLines(_ headphone: HeadphoneState, columns: Int) -> [FirmwareLine] {
    let facts = firmwareFacts(headphone)
    let news = firmwareNews(headphone, columns: columns)
    return facts + [FirmwareLine(content: .space, importance: .space)] + news
  }

  /// Shown while no file is chosen.
  private static let aboutImages = """
    A .fw file holds an image that the maker has signed for this model, with its hardware and \
    version. Nothing is installed before the file has been checked and you have confirmed. Files \
    that makers offer for their own apps have other formats and are refused.
    """

  /// What runs, what is pending on the headphone, the file and its version, where each is known.
  private func firmwareFacts(_ headphone: HeadphoneState) -> [FirmwareLine] {
    func fact(_ label: String, _ value: String, _ importance: Importance) -> FirmwareLine {
      FirmwareLine(content: .fact(label: label, value: value), importance: importance)
    }
    let running =
      headphone.firmware.status.map { "\($0.running)" }
      ?? headphone.information.firmware.map(displayable) ?? "--"
    var lines = [fact("Running", running, .detail)]
    if let status = headphone.firmware.status, status.state != .idle,
      !headphone.firmware.isRunning
    {
      lines.append(fact("Pending", pendingText(status), .sensing))
    }
    let path = headphone.firmware.path
    let shown = path.isEmpty ? headphone.firmware.unfinished?.path ?? "" : path
    if !shown.isEmpty { lines.append(fact("Image", displayable(shown), .identity)) }
    if let manifest = headphone.firmware.offer?.manifest {
      let size = "\(manifest.version) \(symbols.separator) \(manifest.imageSize.grouped) bytes"
      lines.append(fact("Version", size, .choice))
    }
    return lines
  }

  /// The image that the headphone holds, and what it is doing with it.
  private func pendingText(_ status: FirmwareStatus) -> String {
    (status.pending.map { "\($0): " } ?? "") + status.state.displayText
  }

  // MARK: What there is to say at each stage

  /// What happened at this stage, and what can be done.
  ///
  /// | stage | says |
  /// | --- | --- |
  /// | none | how to begin, or that an update stopped and can go on |
  /// | examining | that the file is read |
  /// | rejected | why, and what to do |
  /// | offered | all checks, refusals first |
  /// | running | bar, bytes, rate and time left, and not to switch it off |
  /// | paused | bar, and that the headphone keeps what it has |
  /// | ended | the new version, or why it failed |
  private func firmwareNews(_ headphone: HeadphoneState, columns: Int) -> [FirmwareLine] {
    switch headphone.firmware.stage {
    case .none:
      guard let unfinished = headphone.firmware.unfinished else {
        return sentence("No firmware file selected.", .muted, columns)
          + sentence(Self.aboutImages, .muted, columns)
      }
      let advice =
        unfinished.advice ?? "The headphone keeps what it received; the update can continue."
      return sentence(unfinished.displayText.sentence + ".", .warning, columns)
        + sentence(advice, .value, columns)
    case .examining: return sentence("Reading the file\(symbols.ellipsis)", .muted, columns)
    case .rejected(_, let reason, let advice):
      return sentence(reason.sentence + ".", .error, columns, mark: .refused)
        + sentence(advice.sentence + (advice.isEmpty ? "" : "."), .muted, columns, isAdvice: true)
    case .offered(let offer): return checks(offer, headphone, columns)
    case .running(_, let progress): return running(headphone, progress, columns)
    case .paused(_, let progress):
      return amount(progress, columns)
        + sentence("Paused. The headphone keeps what it received.", .warning, columns)
    case .ended(_, .installed(let version)):
      return sentence("\(version) is installed.", .success, columns, mark: .passed)
    case .ended(_, .failed(let failure)):
      return sentence(failure.explanation.sentence + ".", .error, columns, mark: .refused)
        + sentence(failure.advice.sentence + ".", .muted, columns, isAdvice: true)
    }
  }

  /// The checks of a file; those that forbid the update stand first and stay longest.
  private func checks(
    _ offer: FirmwareCandidate, _ headphone: HeadphoneState, _ columns: Int
  ) -> [FirmwareLine] {
    let checks = headphone.firmwareChecks
    let refused = checks.filter { $0.refusal != nil }
    let others = checks.filter { $0.refusal == nil }
    return (refused + others).flatMap { check in
      let words = offer.manifest.displayText(for: check).sentence
      switch check.finding {
      case .refused(let refusal):
        return sentence(words + ".", .error, columns, mark: .refused)
          + sentence(refusal.advice.sentence + ".", .muted, columns, isAdvice: true)
      case .passed: return sentence(words + ".", .value, columns, mark: .passed, .others)
      case .leftToHeadphone:
        return sentence(words + ".", .muted, columns, mark: .open, .others)
      }
    }
  }

  /// Progress, phase, and the one thing not to do.
  private func running(
    _ headphone: HeadphoneState, _ progress: FirmwareProgress, _ columns: Int
  ) -> [FirmwareLine] {
    let isLinked = headphone.link.use == .firmwareUpdate || progress.phase == .restarting
    let words =
      isLinked
      ? progress.phase.displayText : "disconnected; the update continues when the headphone is back"
    return amount(progress, columns) + sentence(words.sentence + ".", .value, columns)
      + sentence("Do not switch the headphone off.", .warning, columns)
  }

  /// The bar, and below it bytes, rate and the time left while bytes are sent.
  private func amount(_ progress: FirmwareProgress, _ columns: Int) -> [FirmwareLine] {
    let bytes = "\(progress.bytes.grouped) of \(progress.total.grouped) bytes"
    let others =
      progress.phase == .transferring ? [progress.rateText, progress.remainingText] : []
    let numbers = ([bytes] + others.compactMap { $0 }).joined(separator: " \(symbols.separator) ")
    return [
      FirmwareLine(content: .bar(percent: progress.percent), importance: .always)
    ] + sentence(numbers, .value, columns)
  }

  /// A sentence in as many lines as it takes, those after the first indented like its text.
  ///
  /// - Parameters:
  ///   - text: made displayable here.
  ///   - role: how it is drawn.
  ///   - columns: the room for a line.
  ///   - mark: in front of the first line.
  ///   - importance: how long the lines stay.
  ///   - isAdvice: indented under the sentence before, and the first to go.
  private func sentence(
    _ text: String, _ role: Role, _ columns: Int, mark: FirmwareLine.Mark? = nil,
    _ importance: Importance = .always, isAdvice: Bool = false
  ) -> [FirmwareLine] {
    let indent = mark != nil || isAdvice ? 2 : 0
    return wrapped(displayable(text), columns: columns - indent).enumerated().map { place, line in
      FirmwareLine(
        content: .sentence(
          (place > 0 || isAdvice) && indent > 0 ? "  " + line : line,
          mark: place == 0 ? mark : nil, role: role),
        importance: isAdvice ? .event : importance)
    }
  }
}

extension BinaryInteger {
  /// "77,831".
  fileprivate var grouped: String {
    let digits = String(self)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }
}
