internal import Companion
internal import HeadphoneProtocols

extension Battery {
  /// Returns the role of the charge; a level at a threshold counts as below it.
  ///
  /// - Parameter isLive: False for a charge of an earlier link, which is drawn stale.
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
  /// Draws the batteries of all parts in one row, each with the same room.
  ///
  /// Where a part has no room for a percentage, the summary of the list is drawn instead.
  mutating func batteries(_ headphone: HeadphoneState, _ place: Cursor) {
    let cells = batteryCells(headphone, place)
    guard !symbols.areWords else {
      var pen = place
      write(words("Battery"), .label, &pen)
      return batterySummary(headphone, &pen)
    }
    guard cells.allSatisfy({ $0.cell.room >= Self.leastCell }) else {
      var pen = place
      return batterySummary(headphone, &pen)
    }
    for (part, battery, cell) in cells {
      var pen = cell
      let role = battery.role(isLive: headphone.isChargeLive, thresholds)
      let name = part.map { headphone.name(of: $0).sentence } ?? "Battery"
      let isRoomy = cell.room >= 20
      write(isRoomy ? name : String(name.prefix(1)), .label, &pen)
      skip(isRoomy ? max(1, 6 - name.count) : 1, &pen)
      write(amount(battery), role.ofNumber, &pen)
      let isCharging = battery.isCharging == true && headphone.isChargeLive
      let columns = pen.room - 1 - (isCharging ? 2 : 0)
      if columns > 0 {
        skip(1, &pen)
        gauge(battery.level.map(Int.init), columns: columns, role, &pen)
      }
      if isCharging {
        write((pen.room > 1 ? " " : "") + symbols.charging, .batteryCharging, &pen)
      }
    }
  }

  /// The columns of "L 100%" and the charging mark.
  private static let leastCell = 7

  mutating func batteryNotes(_ headphone: HeadphoneState, _ place: Cursor) {
    guard !symbols.areWords else {
      var pen = place
      let parts = headphone.shownParts.compactMap { part -> String? in
        guard let battery = headphone.battery?.value[part],
          let note = notes(on: part, battery, headphone).words.first
        else { return nil }
        return "\(headphone.name(of: part)) \(note)"
      }
      return write(parts.joined(separator: ", ").sentence, .muted, &pen)
    }
    for (part, battery, cell) in batteryCells(headphone, place) {
      var pen = cell
      let (words, role) =
        part.map { notes(on: $0, battery, headphone) }
        ?? (["all parts together", "all"], Role.muted)
      write(words.first { $0.columns <= pen.room } ?? "", role, &pen)
    }
  }

  private func batteryCells(
    _ headphone: HeadphoneState, _ place: Cursor
  ) -> [(part: Part?, battery: Battery, cell: Cursor)] {
    let gap = 2
    let parts: [Part?] = headphone.onlyCharge == nil ? headphone.shownParts : [nil]
    let count = max(1, parts.count)
    let columns = min(30, (place.room - gap * (count - 1)) / count)
    return parts.enumerated().map { number, part in
      let start = place.column + number * (columns + gap)
      let battery =
        part.map { headphone.battery?.value[$0] ?? Battery(level: nil) }
        ?? Battery(level: headphone.onlyCharge)
      return (part, battery, Cursor(row: place.row, from: start, to: start + columns))
    }
  }

  /// Draws a gauge in eighths of a cell; any charge above 0 fills at least one of them.
  mutating func gauge(
    _ percent: Int?, columns: Int, _ role: Role, _ pen: inout Cursor
  ) {
    guard let percent, !symbols.partialCells.isEmpty else {
      return bar(percent, columns: columns, role, &pen)
    }
    let role = role == .batteryCritical ? .gaugeCritical : role
    let cells = max(0, min(columns, pen.room))
    let eighths = percent > 0 ? max(1, min(100, percent) * cells * 8 / 100) : 0
    write(symbols.steps[7], times: eighths / 8, role, &pen)
    if eighths % 8 > 0 { write(symbols.partialCells[eighths % 8 - 1], times: 1, role, &pen) }
    write(symbols.steps[0], times: cells - (eighths + 7) / 8, .barEmpty, &pen)
  }

  /// Returns "80%", or "3/5" if the headphone reports steps.
  private func amount(_ battery: Battery) -> String {
    guard let step = battery.step, let steps = battery.steps else {
      return percentage(battery.level.map(Int.init))
    }
    let text = "\(step)/\(steps)"
    return String(repeating: " ", count: max(0, 4 - text.count)) + text
  }

  /// Returns the note on a part, from its longest form to its shortest.
  ///
  /// In this order: the time of an old charge, charging, a low level, the lid of the case, or the
  /// remaining time.
  private func notes(
    on part: Part, _ battery: Battery, _ headphone: HeadphoneState
  ) -> (words: [String], role: Role) {
    guard let level = battery.level else { return ([], .muted) }
    let trend = headphone.batteryTrend(of: part)
    let times = trend.map { [$0.displayText, $0.shortText] } ?? []
    guard headphone.isChargeLive else {
      let time = headphone.battery?.seenAt.clock.prefix(5) ?? ""
      return (["at \(time)", String(time)], .stale)
    }
    if battery.isCharging == true { return (times + ["charging"], .batteryCharging) }
    if level <= thresholds.low {
      let word = level <= thresholds.critical ? "critical" : "low"
      return (
        times.map { "\(word), \($0)" } + [word, "!"], battery.role(isLive: true, thresholds)
      )
    }
    if part == .case, let isOpen = headphone.isCaseOpen {
      return ([isOpen ? "lid open" : "lid closed", isOpen ? "open" : "closed"], .muted)
    }
    return (times, .muted)
  }

  /// Draws a summary such as "L80 R75 C50", or "B80" for a single battery.
  ///
  /// "+" marks a charging part, "~" a charge reported in steps.
  mutating func batterySummary(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    guard !symbols.areWords else {
      let words = headphone.battery?.value.displayText(isOnlyOne: headphone.hasOneBattery) ?? "--"
      let text = headphone.onlyCharge.map { "\($0)% in all parts" } ?? words
      return write(
        text, words == "--" ? .unknown : headphone.isLive ? .value : .stale, &pen)
    }
    if let percent = headphone.onlyCharge {
      let role = Battery(level: percent).role(isLive: true, thresholds)
      return write("\(percent) all", role, &pen)
    }
    for (place, part) in headphone.shownParts.enumerated() {
      if place > 0 { skip(1, &pen) }
      let battery = headphone.battery?.value[part] ?? Battery(level: nil)
      // Three fractions do not fit here, so a level in steps is shown as approximate.
      let level = battery.level.map { (battery.steps == nil ? "" : "~") + "\($0)" } ?? "--"
      let mark = battery.isCharging == true && headphone.isChargeLive ? "+" : ""
      write(
        headphone.name(of: part).prefix(1).uppercased() + level + mark,
        battery.role(isLive: headphone.isChargeLive, thresholds), &pen)
    }
  }

  /// Returns "left 9%", or nil if no charge is critical.
  func criticalCharges(_ headphone: HeadphoneState) -> String? {
    let critical = (headphone.battery?.value ?? [:]).filter { _, battery in
      battery.role(isLive: headphone.isChargeLive, thresholds) == .batteryCritical
    }
    return critical.isEmpty
      ? nil : critical.displayText(isOnlyOne: headphone.hasOneBattery)
  }
}

extension HeadphoneState {
  /// Whether the charge is of the current link, and not older than an unanswered question.
  var isChargeLive: Bool { isLive && !isChargeOld }

  var isLive: Bool { link.isReady || isAdvertisingOnly && isNearby }

  /// The parts with a battery: those that the headphone declares, else those that it reported.
  var shownParts: [Part] {
    if let parts = capabilities?.batteries, !parts.isEmpty { return parts }
    guard let received = battery?.value, !received.isEmpty else { return [.left, .right, .case] }
    return Part.allCases.filter { received[$0] != nil }
  }

  /// Returns "left", "right", "case", or "battery" for the only part.
  func name(of part: Part) -> String { shownParts == [.left] ? "battery" : part.name }
}

extension Role {
  /// The role of a number beside a bar: the bar's, but only when it matters.
  fileprivate var ofNumber: Role {
    self == .batteryGood || self == .batteryCharging ? .value : self
  }
}
