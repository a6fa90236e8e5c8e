internal import Companion
internal import HeadphoneProtocols

/// A line of the control panel.
///
/// The wire, the batteries and what is to be said stand above the list of settings, which scrolls.
enum ControlLine: Hashable, Sendable {
  case wire, batteries, batteryNotes
  case space(Int)
  /// What the state of the link means, or what to do about it.
  case explanation(Int)
  /// The progress of a firmware update.
  case update
  /// The loud sound to find it by.
  case find
  /// A group of settings.
  case heading(String)
  /// A setting.
  case row(ControlRow)
  /// Which buds are in an ear, of a headphone that cannot switch the detection.
  case wearing
  /// The custom equaliser's bands, over so many rows.
  case bands(rows: Int)

  /// Rows that it takes; never 0.
  var rows: Int { if case .bands(let rows) = self { rows } else { 1 } }
}

/// The lines of the control panel as they share its rows.
struct ControlLines {
  /// Above the list, always in the same places.
  private(set) var head: [ControlLine] = [.wire]
  /// The lines of the list that are in sight.
  private(set) var shown: [ControlLine] = []
  /// The settings in sight, counted from 1, where there are others.
  private(set) var window: (ClosedRange<Int>, of: Int)?

  /// - Parameters:
  ///   - headphone: The selected one.
  ///   - cursor: The row that stays in sight.
  ///   - explanations: Rows of the explanation and the advice.
  ///   - rows: Of the panel, inside its frame.
  init(_ headphone: HeadphoneState, cursor: ControlRow?, explanations: Int, rows: Int) {
    let isRoomy = rows >= 11
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

  /// Chooses how much the list breathes, and what of it is in sight.
  ///
  /// Settings stand apart where all fit so, else groups; they have headings where the list is long,
  /// and none where it is short.
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
    // The curve of the gains comes before the air.
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

  /// The curve of the gains below the equaliser's row, where rows are free and it is what one hears.
  private mutating func addBands(_ headphone: HeadphoneState, rows: Int) {
    guard rows >= 3, headphone.showsBands else { return }
    let place = shown.firstIndex(of: .row(.eq)).map { $0 + 1 } ?? shown.endIndex
    shown.insert(.bands(rows: rows), at: place)
  }
}

/// Settings that belong together.
struct SettingGroup {
  let title: String
  let lines: [ControlLine]
}

extension HeadphoneState {
  /// Whether the custom equaliser is what one hears.
  fileprivate var showsBands: Bool {
    let hasPresets = capabilities?.eqPresets.isEmpty == false
    return bands.shown?.isEmpty == false && (presetToCome == .custom || !hasPresets)
  }

  /// The rows of the panel by their groups; empty before the capabilities are known.
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
  /// What to do about it; empty: nothing.
  ///
  /// States that the adapter causes are explained by the adapter's state, which knows the cause.
  ///
  /// - Parameter adapter: The state of the adapter that the link would use.
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
