public import HeadphoneProtocols

extension HeadphoneEvent {
  /// The event as a line of the log.
  ///
  /// Values that change by themselves are `info`, what a start goes through is `debug`, and what
  /// the headphone reports as wrong is `warning`.
  ///
  /// - Parameter hasOneBattery: whether the headphone has one battery, which is neither left nor
  ///  right.
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
    case .malformed(let what): (.warning, "unknown data: \(what)")
    }
  }
}

extension HeadphoneState {
  /// Whether it has a single battery, as over-ear headphones do; it is reported as the left one.
  public var hasOneBattery: Bool { capabilities?.batteries == [.left] }

  /// The noun for what is on each side: "aid" of hearing aids, else "bud".
  var sideNoun: String {
    let presets = [SettingID.preset] + Side.allCases.map(SettingID.preset(of:))
    return presets.contains { capabilities?.declares($0) == true } ? "aid" : "bud"
  }
}

extension [Part: Battery] {
  /// The same as ``displayText``; "80%" where there is one battery only.
  public func displayText(isOnlyOne: Bool) -> String {
    guard isOnlyOne, let only = self[.left] else { return displayText }
    return only.displayText
  }

  /// "left 80%, right 75%, case -- charging".
  public var displayText: String {
    Part.allCases.compactMap { part in
      self[part].map { "\(part.name) \($0.displayText)" }
    }.joined(separator: ", ")
  }
}

extension Battery {
  /// "80%", "-- charging".
  public var displayText: String {
    amount + (isCharging == true ? " charging" : "")
  }

  /// "80%", "3 of 5", "--".
  private var amount: String {
    guard let level else { return "--" }
    guard let steps, let step else { return "\(level)%" }
    return "\(step) of \(steps)"
  }
}

extension HeadphoneVolume {
  /// "50%", "50%, muted".
  public var displayText: String { "\(level)%" + (isMuted ? ", muted" : "") }
}

extension Wearing {
  /// "both in ear", "left in ear, right out".
  public var displayText: String {
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
  /// "you speak".
  fileprivate var displayText: String {
    switch self {
    case .began: "you speak"
    case .paused: "you pause"
    case .ended: "you no longer speak"
    }
  }
}

extension Side {
  /// "left", "right".
  public var name: String { self == .left ? "left" : "right" }
}

extension Sides {
  /// "left", "right", "both"; "none" if empty.
  public var displayText: String {
    switch self {
    case .both: "both"
    case .left: "left"
    case .right: "right"
    default: "none"
    }
  }
}

extension Sides {
  /// The buds that are ringing.
  ///
  /// - Parameter isWhole: whether the headphone has no buds.
  func findingText(isWhole: Bool) -> String {
    if isWhole { return isEmpty ? "it is silent" : "it is ringing" }
    switch self {
    case []: return "no bud is ringing"
    case .both: return "both buds are ringing"
    default: return "the \(displayText) bud is ringing"
    }
  }
}
