internal import Companion
internal import HeadphoneProtocols

/// A line of the firmware page; where rows are few, errors stay longest.
struct FirmwareLine: Hashable {
  enum Content: Hashable {
    case space
    case fact(label: String, value: String)
    case sentence(String, mark: Mark?, role: Role)
    case bar(percent: Int)
  }

  /// The result of a check; `open` if only the headphone can decide.
  enum Mark: Hashable { case passed, open, refused }

  var content: Content
  var importance: Importance
}

extension FirmwareLine: PanelLine {}

extension Drawing {
  func firmwareLines(_ headphone: HeadphoneState, columns: Int) -> [FirmwareLine] {
    let facts = firmwareFacts(headphone)
    let newer = headphone.newerFirmwareText.map {
      sentence("Firmware \($0).", .warning, columns, .sensing)
    }
    let news = firmwareNews(headphone, columns: columns)
    return facts + (newer ?? []) + [FirmwareLine(content: .space, importance: .space)] + news
  }

  private static let aboutImages = """
    A .fw file holds an image that the maker has signed for this model, with its hardware and \
    version. Nothing is installed before the file has been checked and you have confirmed. Files \
    that makers offer for their own apps have other formats and are refused.
    """

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
      let size = "\(manifest.version)\(symbols.between)\(manifest.imageSize.grouped) bytes"
      lines.append(fact("Version", size, .choice))
    }
    return lines
  }

  private func pendingText(_ status: FirmwareStatus) -> String {
    (status.pending.map { "\($0): " } ?? "") + status.state.displayText
  }

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

  /// Returns the checks of a file; those that forbid the update come first and stay longest.
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

  private func amount(_ progress: FirmwareProgress, _ columns: Int) -> [FirmwareLine] {
    let bytes = "\(progress.bytes.grouped) of \(progress.total.grouped) bytes"
    let others =
      progress.phase == .transferring ? [progress.rateText, progress.remainingText] : []
    let numbers = ([bytes] + others.compactMap { $0 }).joined(separator: symbols.between)
    return [
      FirmwareLine(content: .bar(percent: progress.percent), importance: .always)
    ] + sentence(numbers, .value, columns)
  }

  /// Returns a sentence as wrapped lines, those after the first indented like its text.
  ///
  /// - Parameters:
  ///   - text: The sentence, which is made displayable here.
  ///   - isAdvice: Whether the lines are indented below the previous sentence and dropped first.
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
