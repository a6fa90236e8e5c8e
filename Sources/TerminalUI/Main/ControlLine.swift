internal import Companion
internal import HeadphoneProtocols

/// A line of the control panel.
///
/// Chosen by `controlLines` from what the headphone has, thinned out by importance where rows are
/// few, and drawn by `controlPanel`.
enum ControlLine: Hashable, Sendable {
  case state
  /// The rest of a state that takes more than one line.
  case stateRest(Int)
  /// What to do about the state, in several lines.
  case advice(Int)
  /// What to do first, while there is no headphone.
  case invitation(Int)
  case space(Int)
  case battery(Part)
  /// One figure for all parts, where no part's is known.
  case overallBattery
  /// All parts side by side, over two rows.
  case gauges
  /// All parts in one line, where three have no room.
  case batteries
  case update
  case noise, level, equaliser
  /// The custom equaliser's bands, over so many rows.
  case bands(rows: Int)
  /// The headphone's own.
  case volume
  case wear
  /// A setting that the headphone's protocol declares.
  case setting(SettingDeclaration)
  case find
  case model
}

extension ControlLine: PanelLine {
  /// Rows that it takes; never 0.
  var rows: Int {
    switch self {
    case .bands(let rows): rows
    case .gauges: 2
    default: 1
    }
  }

  /// What goes first where rows are few; batteries and the noise mode never do.
  var importance: Importance {
    switch self {
    case .space: .space
    case .bands: .equaliserDetail
    case .model: .identity
    case .stateRest, .invitation: .explanation
    case .advice, .find: .event
    case .level, .volume, .setting: .detail
    case .wear: .sensing
    case .equaliser: .choice
    case .state, .update: .state
    case .battery, .overallBattery, .batteries, .gauges, .noise: .always
    }
  }
}

extension ControlLine {
  /// Whether the cursor is on the line while it is on that row.
  ///
  /// The cursor of the state is a row of the headphone; which line draws it is the view's affair.
  func holds(_ row: ControlRow) -> Bool {
    switch (self, row) {
    case (.noise, .anc), (.level, .ancLevel), (.equaliser, .eq), (.volume, .volume): true
    case (.wear, .setting(let id)): id == .wearDetection
    case (.setting(let declaration), .setting(let id)): declaration.id == id
    default: false
    }
  }
}

extension [ControlLine] {
  /// The same lines with all batteries in one, where that makes room for controls.
  ///
  /// - Parameter limit: The rows of the panel.
  func inOneLine(rows limit: Int) -> [ControlLine] {
    let batteries = indices.filter {
      switch self[$0] {
      case .battery, .gauges: true
      default: false
      }
    }
    let needed = filter { $0.importance > .identity }.rows
    guard batteries.count > 1 || contains(.gauges), needed > limit, let first = batteries.first
    else { return self }
    return indices.compactMap { place in
      place == first ? .batteries : batteries.contains(place) ? nil : self[place]
    }
  }
}

extension HeadphoneState {
  /// The panel's lines for this headphone, each in its place.
  ///
  /// A headphone that was never ready has no capabilities yet: its state, advice and advertised
  /// charges are all there is.
  ///
  /// - Parameters:
  ///   - stateRows: Rows that the text of the link's state takes.
  ///   - adviceRows: Rows that the advice takes; 0: there is none.
  ///   - bandRows: Rows for the curve of the custom equaliser; 0: none is drawn.
  ///
  /// - Parameter columns: of the panel's lines.
  func controlLines(stateRows: Int, adviceRows: Int, bandRows: Int, columns: Int = 0)
    -> [ControlLine]
  {
    let capabilities = self.capabilities ?? Capabilities()
    let isKnown = self.capabilities != nil
    var lines: [ControlLine] = [.state]
    lines += (1..<max(1, stateRows)).map(ControlLine.stateRest)
    lines += (0..<adviceRows).map(ControlLine.advice)
    // Before the first connection there is nothing to show but what it advertises.
    guard isKnown else {
      return battery == nil && onlyCharge == nil
        ? lines : lines + [.space(0)] + batteryLines(columns: columns)
    }
    lines.append(.space(0))
    lines += batteryLines(columns: columns)
    if firmwareProgress != nil { lines.append(.update) }
    lines.append(.space(1))
    if !capabilities.ancModes.isEmpty { lines.append(.noise) }
    if capabilities.hasANCLevel { lines.append(.level) }
    if !capabilities.eqPresets.isEmpty { lines.append(.equaliser) }
    // The gains of the custom preset are not those of another.
    if presetToCome == .custom || capabilities.eqPresets.isEmpty, bands.shown?.isEmpty == false,
      bandRows > 0
    {
      lines.append(.bands(rows: bandRows))
    }
    if capabilities.hasVolume { lines.append(.volume) }
    if wearing != nil || capabilities.declares(.wearDetection) { lines.append(.wear) }
    lines += capabilities.shownSettings.filter { $0.id != .wearDetection }.map { .setting($0) }
    if find.shown?.isEmpty == false { lines.append(.find) }
    if information.model != nil || information.firmware != nil { lines.append(.model) }
    return lines
  }

  /// Gauges where there are several parts and room for the words of each.
  private func batteryLines(columns: Int) -> [ControlLine] {
    if onlyCharge != nil { return [.overallBattery] }
    let isRoomy = shownParts.count > 1 && columns >= 14 * shownParts.count
    return isRoomy ? [.gauges] : shownParts.map(ControlLine.battery)
  }

  /// Whether its values are current rather than those of an earlier link.
  var isLive: Bool { link.isReady || isAdvertisingOnly && isNearby }

  /// The parts that have a battery: those that the headphone names, else those that were reported.
  var shownParts: [Part] {
    if let parts = capabilities?.batteries, !parts.isEmpty { return parts }
    guard let received = battery?.value, !received.isEmpty else { return [.left, .right, .case] }
    return Part.allCases.filter { received[$0] != nil }
  }
}

extension HeadphoneState {
  /// "left", "right", "case"; "battery" for the only one of a headphone without buds.
  func name(of part: Part) -> String { shownParts == [.left] ? "battery" : part.name }
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

  /// How it is to be seen.
  ///
  /// Green for ready, amber for under way, red for lost, and the colour of labels for a link that
  /// is not wanted.
  var role: Role {
    switch self {
    case .connected(.ready, _): .linkReady
    case .unwanted(.disconnected(.user)), .unwanted(.idle), .unwanted(.userCancelled): .linkOff
    case .unwanted, .pending(.waitingForBluetooth(.permission), _),
      .pending(.waitingForBluetooth(.power), _):
      .linkLost
    case .pending, .connected, .reconnecting, .firmwareRestarting: .linkWorking
    }
  }

  /// The same without colour.
  ///
  /// A filled, half or empty dot, or a cross.
  func mark(_ symbols: Symbols) -> String {
    switch role {
    case .linkReady: symbols.full
    case .linkLost: symbols.failed
    case .linkOff: symbols.empty
    default: symbols.half
    }
  }
}
