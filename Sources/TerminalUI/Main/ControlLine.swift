internal import Companion
internal import HeadphoneProtocols

/// A line of the control panel.
///
/// The wire, the batteries and the explanation are above the list of settings, which scrolls.
enum ControlLine: Hashable, Sendable {
  case wire, batteries, batteryNotes
  case space(Int)
  case explanation(Int)
  case update
  /// The sound that helps to find the headphone.
  case find
  case heading(String)
  case row(ControlRow)
  /// The worn buds, for a headphone without a setting of wear detection.
  case wearing
  case bands(rows: Int)

  var rows: Int { if case .bands(let rows) = self { rows } else { 1 } }
}

struct ControlLines {
  private(set) var head: [ControlLine] = [.wire]
  private(set) var shown: [ControlLine] = []
  /// The visible settings, counted from 1, or nil if all are visible.
  private(set) var window: (ClosedRange<Int>, of: Int)?

  /// Chooses the lines that fit into `rows` inside the frame; blank rows go before a setting does.
  init(_ headphone: HeadphoneState, cursor: ControlRow?, explanations: Int, rows: Int) {
    func lines(isRoomy: Bool) -> ControlLines {
      ControlLines(
        headphone, cursor: cursor, explanations: explanations, rows: rows, isRoomy: isRoomy)
    }
    let roomy = lines(isRoomy: rows >= 11)
    self = roomy.window == nil ? roomy : lines(isRoomy: false)
  }

  private init(
    _ headphone: HeadphoneState, cursor: ControlRow?, explanations: Int, rows: Int, isRoomy: Bool
  ) {
    if isRoomy { head.append(.space(0)) }
    if headphone.capabilities != nil || headphone.battery != nil || headphone.onlyCharge != nil {
      head += [.batteries] + (rows >= 10 ? [.batteryNotes] : [])
    }
    if explanations > 0 {
      if isRoomy, head.last == .batteryNotes { head.append(.space(1)) }
      head += (0..<explanations).map(ControlLine.explanation)
    }
    if headphone.firmwareProgress != nil { head.append(.update) }
    if headphone.find.shown?.isEmpty == false { head.append(.find) }
    let groups = headphone.settingGroups
    guard !groups.isEmpty else { return }
    if isRoomy, head.last != .space(0) { head.append(.space(2)) }
    list(headphone, groups, cursor: cursor, rows: max(0, rows - head.count))
  }

  /// Chooses the spacing and the visible part of the list.
  ///
  /// The first that fits: blank rows between settings, between groups, headings only, neither. A
  /// longer list scrolls.
  private mutating func list(
    _ headphone: HeadphoneState, _ groups: [SettingGroup], cursor: ControlRow?, rows: Int
  ) {
    let plain = groups.flatMap(\.lines)
    let titled = groups.flatMap { [.heading($0.title)] + $0.lines }
    let spaced = groups.enumerated().flatMap { place, group in
      (place > 0 ? [ControlLine.space(10 + place)] : []) + [.heading(group.title)] + group.lines
    }
    let airy = groups.enumerated().flatMap { place, group in
      (place > 0 ? [ControlLine.space(10 + place)] : []) + [.heading(group.title)]
        + group.lines.enumerated().flatMap { number, line in
          (number > 0 ? [ControlLine.space(100 * (place + 1) + number)] : []) + [line]
        }
    }
    // The curve of the gains takes precedence over blank rows between settings.
    let isAiry = airy.count + (headphone.showsBands ? 6 : 0) <= rows
    if let whole = ((isAiry ? [airy] : []) + [spaced, titled, plain]).first(where: {
      $0.count <= rows
    }) {
      shown = whole
      addBands(headphone, rows: min(6, rows - whole.count))
      return
    }
    let all = rows >= 9 ? titled : plain
    let place = cursor.flatMap { cursor in all.firstIndex { $0 == .row(cursor) } } ?? 0
    let first = min(max(0, place - rows / 2), all.count - rows)
    shown = Array(all[first..<first + rows])
    let settings = plain.filter { if case .row = $0 { true } else { false } }
    let places = shown.compactMap { settings.firstIndex(of: $0) }
    guard let start = places.first, let end = places.last else { return }
    window = (start + 1...end + 1, of: settings.count)
  }

  private mutating func addBands(_ headphone: HeadphoneState, rows: Int) {
    guard rows >= 3, headphone.showsBands else { return }
    let place = shown.firstIndex(of: .row(.eq)).map { $0 + 1 } ?? shown.endIndex
    shown.insert(.bands(rows: rows), at: place)
  }
}

struct SettingGroup {
  let title: String
  let lines: [ControlLine]
}

extension HeadphoneState {
  fileprivate var showsBands: Bool {
    let hasPresets = capabilities?.equaliserPresets.isEmpty == false
    return bands.shown?.isEmpty == false && (presetToCome == .custom || !hasPresets)
  }

  fileprivate var settingGroups: [SettingGroup] {
    guard let capabilities else { return [] }
    let rows = capabilities.controlRows
    let groups: [(String, [SettingDeclaration.Group])] = [
      ("Listening", [.noise]), ("Sound", [.sound]),
      (hasOneBattery ? "Wearing" : "Buds", [.wearing, .controls]), ("Device", [.device]),
    ]
    return groups.compactMap { title, parts in
      var lines = rows.filter { parts.contains($0.declaration.group) }.map {
        ControlLine.row($0.row)
      }
      if parts.contains(.wearing), wearing != nil, !capabilities.declares(.wearDetection) {
        lines.insert(.wearing, at: 0)
      }
      return lines.isEmpty ? nil : SettingGroup(title: title, lines: lines)
    }
  }
}

extension LinkState {
  /// Returns the advice; for states that the adapter causes, that of the adapter's state.
  func advice(_ adapter: AdapterState) -> String {
    switch self {
    case .unwanted(.disconnected(let reason)): reason.advice
    case .reconnecting(let retry): retry.after.advice
    case .unwanted(.failed(let reason)): reason.advice
    case .pending(.waitingForBluetooth(.room), _): "disconnect another headphone"
    case .pending(.waitingForBluetooth(.turn), _): ""
    case .pending(.waitingForBluetooth, _), .unwanted(.permissionDenied): adapter.advice
    default: ""
    }
  }
}
