internal import Companion
internal import HeadphoneProtocols

extension Battery {
  /// How the charge is to be seen.
  func role(isLive: Bool, _ thresholds: BatteryThresholds) -> Role {
    guard let level else { return .unknown }
    guard isLive else { return .stale }
    if isCharging == true { return .batteryCharging }
    switch level {
    case ...thresholds.critical: return .batteryCritical
    case ...thresholds.low: return .batteryLow
    default: return .batteryGood
    }
  }
}

extension Drawing {
  /// A bar, the percentage, and what else is known of the part.
  mutating func battery(_ part: Part, _ headphone: HeadphoneState, _ place: Cursor) {
    var pen = place
    let isLive = headphone.isLive
    let battery = headphone.battery?.value[part] ?? Battery(level: nil)
    let role = battery.role(isLive: isLive, thresholds)
    let level = battery.level.map(Int.init)
    let columns = barColumns(pen)
    if columns > 0 {
      bar(level, columns: columns, role, &pen)
      skip(1, &pen)
    }
    write(amount(battery), isLive || level == nil ? role.ofNumber : .stale, &pen)
    note(of: part, battery, headphone, &pen)
  }

  /// " 80%", and " 3/5" where the headphone tells steps.
  private func amount(_ battery: Battery) -> String {
    guard let step = battery.step, let steps = battery.steps else {
      return percentage(battery.level.map(Int.init))
    }
    let text = "\(step)/\(steps)"
    return String(repeating: " ", count: max(0, 4 - text.count)) + text
  }

  /// The same for all bars of the panel, so that they end in one column; 0: no room for one.
  ///
  /// Beside them stand a percentage and words such as "charging".
  func barColumns(_ pen: Cursor) -> Int {
    let columns = min(32, pen.room - 5 - (pen.room < 30 ? 2 : 11))
    return columns < 5 ? 0 : columns
  }

  private mutating func note(
    of part: Part, _ battery: Battery, _ headphone: HeadphoneState, _ pen: inout Cursor
  ) {
    if !headphone.isLive, battery.level != nil {
      if let received = headphone.battery?.seenAt {
        let words = " at \(received.clock.prefix(5))"
        if words.columns <= pen.room { write(words, .stale, &pen) }
      }
    } else if battery.isCharging == true {
      write(" " + symbols.charging, .batteryCharging, &pen)
      if pen.room >= 9 { write(" charging", .batteryCharging, &pen) }
    } else if let level = battery.level, level <= thresholds.low {
      let words =
        level <= thresholds.critical ? [" critical", " crit", " !!"] : [" low", " !"]
      let fitting = words.first { $0.columns <= pen.room } ?? ""
      write(fitting, battery.role(isLive: true, thresholds), &pen)
    } else if part == .case, let isOpen = headphone.isCaseOpen, pen.room >= 9 {
      write(isOpen ? " lid open" : " closed", .muted, &pen)
    }
  }

  /// "L80 R75 C50", or "B80" of the only one, each in its colour; "+" marks one that is charging,
  /// "~" one told in steps.
  mutating func batterySummary(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    for (place, part) in headphone.shownParts.enumerated() {
      if place > 0 { skip(1, &pen) }
      let battery = headphone.battery?.value[part] ?? Battery(level: nil)
      // Three fractions have no room here: what is told in steps is about so much.
      let level = battery.level.map { (battery.steps == nil ? "" : "~") + "\($0)" } ?? "--"
      let mark = battery.isCharging == true && headphone.isLive ? "+" : ""
      write(
        headphone.name(of: part).prefix(1).uppercased() + level + mark,
        battery.role(isLive: headphone.isLive, thresholds), &pen)
    }
  }
}

extension Role {
  /// A number beside a bar is as loud as the bar only when it matters.
  fileprivate var ofNumber: Role {
    self == .batteryGood || self == .batteryCharging ? .value : self
  }
}
