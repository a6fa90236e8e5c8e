internal import Companion
internal import HeadphoneProtocols

extension Battery {
  /// How the charge is to be seen.
  ///
  /// A level at a threshold counts as below it. Charging has a role of its own, whatever the level.
  ///
  /// - Parameters:
  ///   - isLive: False: the charge is one from before, and is drawn stale.
  ///   - thresholds: The percentages of the configuration.
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
  /// All parts side by side, each over two rows: what is known of it, and its gauge.
  ///
  /// At most 24 columns each, with two between them. The first row has the part's name, its
  /// percentage and what else is known; the second has the gauge.
  mutating func gauges(_ headphone: HeadphoneState, _ place: Cursor) {
    let parts = headphone.shownParts
    let gap = 2
    let columns = min(24, (place.room - gap * (parts.count - 1)) / max(1, parts.count))
    for (number, part) in parts.enumerated() {
      let start = place.column + number * (columns + gap)
      let battery = headphone.battery?.value[part] ?? Battery(level: nil)
      let role = battery.role(isLive: headphone.isLive, thresholds)
      var pen = Cursor(row: place.row, from: start, to: start + columns)
      write(headphone.name(of: part).sentence, .label, &pen)
      skip(1, &pen)
      let isKnown = headphone.isLive || battery.level == nil
      write(amount(battery), isKnown ? role.ofNumber : .stale, &pen)
      note(of: part, battery, headphone, &pen)
      pen = Cursor(row: place.row + 1, from: start, to: start + columns)
      gauge(battery.level.map(Int.init), columns: columns, role, &pen)
    }
  }

  /// A gauge whose filled part runs through the colours from empty to full.
  ///
  /// Drawn in eighths of a cell. A charge above 0 fills at least one of them, so that 1 % differs
  /// from empty.
  ///
  /// - Parameter role: of the charge; what is low, charging or no longer live has one colour.
  private mutating func gauge(
    _ percent: Int?, columns: Int, _ role: Role, _ pen: inout Cursor
  ) {
    guard !symbols.partialCells.isEmpty else {
      return bar(percent, columns: columns, role, &pen)
    }
    write(symbols.gaugeLeft, .barEmpty, &pen)
    let cells = columns - 2
    let eighths = (percent ?? 0) > 0 ? max(1, (percent ?? 0) * cells * 8 / 100) : 0
    for cell in 0..<cells {
      let filled = min(8, max(0, eighths - cell * 8))
      let colour = role == .batteryGood ? .gauge(atPercent: cell * 100 / cells) : role
      switch filled {
      case 0: write(" ", .plain, &pen)
      case 8: write(symbols.steps[7], times: 1, colour, &pen)
      default: write(symbols.partialCells[filled - 1], times: 1, colour, &pen)
      }
    }
    write(symbols.gaugeRight, .barEmpty, &pen)
  }

  /// A bar, the percentage, and what else is known of the part.
  ///
  /// The bar is left out where fewer than five columns are free for it; the percentage stays.
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

  /// A bar and the percentage, with the remark that it is of all parts.
  mutating func overallBattery(_ percent: UInt8, _ place: Cursor) {
    var pen = place
    let role = Battery(level: percent).role(isLive: true, thresholds)
    let columns = barColumns(pen)
    if columns > 0 {
      bar(Int(percent), columns: columns, role, &pen)
      skip(1, &pen)
    }
    write(percentage(Int(percent)), role.ofNumber, &pen)
    if pen.room >= 10 { write(" all parts", .muted, &pen) }
  }

  /// " 80%", and " 3/5" where the headphone reports steps.
  private func amount(_ battery: Battery) -> String {
    guard let step = battery.step, let steps = battery.steps else {
      return percentage(battery.level.map(Int.init))
    }
    let text = "\(step)/\(steps)"
    return String(repeating: " ", count: max(0, 4 - text.count)) + text
  }

  /// The columns of a bar, the same for all of the panel, so that they end in one column; 0: no
  /// room.
  func barColumns(_ pen: Cursor) -> Int {
    let columns = min(32, pen.room - 5 - (pen.room < 30 ? 2 : 11))
    return columns < 5 ? 0 : columns
  }

  /// The time of an old charge, "charging", a warning at low charge or the lid of the case: the
  /// first that applies, in the longest form that fits.
  private mutating func note(
    of part: Part, _ battery: Battery, _ headphone: HeadphoneState, _ pen: inout Cursor
  ) {
    if !headphone.isLive, battery.level != nil {
      if let received = headphone.battery?.seenAt {
        let words = [" at \(received.clock.prefix(5))", " \(received.clock.prefix(5))"]
        write(words.first { $0.columns <= pen.room } ?? "", .stale, &pen)
      }
    } else if battery.isCharging == true {
      if pen.room >= 2 { write(" " + symbols.charging, .batteryCharging, &pen) }
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
  /// "~" one reported in steps.
  ///
  /// One line of the list of headphones, and all of the smallest screens.
  mutating func batterySummary(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    if let percent = headphone.onlyCharge {
      let role = Battery(level: percent).role(isLive: true, thresholds)
      return write("\(percent) all", role, &pen)
    }
    for (place, part) in headphone.shownParts.enumerated() {
      if place > 0 { skip(1, &pen) }
      let battery = headphone.battery?.value[part] ?? Battery(level: nil)
      // Three fractions do not fit here: a level in steps is approximate.
      let level = battery.level.map { (battery.steps == nil ? "" : "~") + "\($0)" } ?? "--"
      let mark = battery.isCharging == true && headphone.isLive ? "+" : ""
      write(
        headphone.name(of: part).prefix(1).uppercased() + level + mark,
        battery.role(isLive: headphone.isLive, thresholds), &pen)
    }
  }
}

extension Role {
  /// The colour of a gauge where it has this charge: half of it is that of a full one.
  static func gauge(atPercent percent: Int) -> Role {
    switch percent {
    case ..<15: .gauge1
    case ..<30: .gauge2
    case ..<50: .gauge3
    default: .gauge4
    }
  }

  /// A number beside a bar is as loud as the bar only when it matters.
  fileprivate var ofNumber: Role {
    self == .batteryGood || self == .batteryCharging ? .value : self
  }
}
