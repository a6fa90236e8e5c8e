package import HeadphoneProtocols

extension HeadphoneEvent {
  /// Returns the log line: unprompted values at `info`, phases at `debug`, errors at `warning`.
  func reported(hasOneBattery: Bool = false) -> (LogLine.Level, String) {
    switch self {
    case .starting(let phase): (.debug, phase.displayText)
    case .batteryChanged(let parts):
      (.info, "battery \(parts.displayText(isOnlyOne: hasOneBattery))")
    case .wearingChanged(let wearing): (.info, wearing.displayText)
    case .ancChanged(let mode): (.info, "noise control: \(mode.title.lowercased())")
    case .ancLevelChanged(let level): (.info, "noise control level \(level)")
    case .eqChanged(let preset, _): (.info, "equaliser: \(preset.title.lowercased())")
    case .volumeChanged(let volume): (.info, "headphone volume \(volume.displayText)")
    case .caseLidChanged(let isOpen): (.info, isOpen ? "case opened" : "case closed")
    case .settingChanged(.noiseMode, let value):
      (.info, "noise control: \(ANCMode.title(of: value).lowercased())")
    case .settingChanged(let id, let value): (.info, "\(id.displayText) \(value.text)")
    case .touchUsed(let side, let gesture): (.info, "\(side.name) bud: \(gesture.title)")
    case .speechChanged(let speech): (.debug, speech.displayText)
    case .touchActionsChanged: (.info, "touch actions known")
    case .receptionChanged(let reception): (.info, reception.displayText())
    case .findChanged(let sides): (.info, sides.findingText(isWhole: hasOneBattery))
    case .renamed(let name): (.info, "renamed to \(name)")
    case .firmwareProgress(let percent): (.debug, "firmware update \(percent)%")
    case .reportedError(let status): (.warning, "the headphone reports: \(status.displayText)")
    case .described: (.debug, "features read again")
    case .noted(let what): (.info, what)
    case .malformed(let what): (.warning, "malformed data: \(what)")
    case .unknown(let kind): (.debug, "unknown \(kind)")
    }
  }
}

extension HeadphoneState {
  /// Whether there is a single battery, reported as the left one, as in over-ear headphones.
  package var hasOneBattery: Bool { capabilities?.batteries == [.left] }

  /// "aid" for hearing aids, or else "bud".
  var sideNoun: String {
    let presets = [SettingID.preset] + Side.allCases.map(SettingID.preset(of:))
    return presets.contains { capabilities?.declares($0) == true } ? "aid" : "bud"
  }
}

extension [Part: Battery] {
  /// Returns ``displayText``, or "80%" for a single battery.
  package func displayText(isOnlyOne: Bool) -> String {
    guard isOnlyOne, let only = self[.left] else { return displayText }
    return only.displayText
  }

  /// The charges as text: "left 80%, right 75%, case -- charging".
  package var displayText: String {
    Part.allCases.compactMap { part in
      self[part].map { "\(part.name) \($0.displayText)" }
    }.joined(separator: ", ")
  }
}

extension Battery {
  /// The charge as text: "80%" or "-- charging".
  package var displayText: String {
    amount + (isCharging == true ? " charging" : "")
  }

  /// The charge alone: "80%", "3 of 5" or "--".
  private var amount: String {
    guard let level else { return "--" }
    guard let steps, let step else { return "\(level)%" }
    return "\(step) of \(steps)"
  }
}

extension HeadphoneVolume {
  package var displayText: String { "\(level)%" + (isMuted ? ", muted" : "") }
}

extension Wearing {
  /// The state as text: "both in ear" or "left in ear, right out".
  package var displayText: String {
    switch (left, right) {
    case (true, true): "both in ear"
    case (false, false): "both out"
    case (nil, nil): "wearing unknown"
    default: "left \(place(left)), right \(place(right))"
    }
  }

  private func place(_ isWorn: Bool?) -> String {
    isWorn.map { $0 ? "in ear" : "out" } ?? "unknown"
  }
}

extension Speech {
  fileprivate var displayText: String {
    switch self {
    case .began: "you speak"
    case .paused: "you pause"
    case .ended: "you no longer speak"
    }
  }
}

extension Side {
  package var name: String { self == .left ? "left" : "right" }
}

extension Sides {
  package var displayText: String {
    switch self {
    case .both: "both"
    case .left: "left"
    case .right: "right"
    default: "none"
    }
  }
}

extension Sides {
  func findingText(isWhole: Bool) -> String {
    if isWhole { return isEmpty ? "it is silent" : "it is ringing" }
    switch self {
    case []: return "no bud is ringing"
    case .both: return "both buds are ringing"
    default: return "the \(displayText) bud is ringing"
    }
  }
}
