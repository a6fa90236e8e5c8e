import HeadphoneProtocols

extension PageKind {
  package static let finder: PageKind = PageKind(
    "Finder",
    commands: [
      PageCommand(
        .find, "play a loud sound on it (asks), or stop it",
        currentLabel: { $0.headphones.selected?.isSounding == true ? "Stop" : "Ring" }
      ) { $0.ring(at: $1) }
    ],
    lines: { state in state.finderLines.map { PageLine($0.text, copied: $0.value) } },
    cursor: { _ in nil }, goTo: { _, _ in }, runsWhileShown: true)
}

/// The nearness of a headphone by its signal strength, which walls and bodies weaken.
package struct Nearness: Hashable, Sendable {
  /// The median of the last three strengths in dBm.
  package var strength: Int8
  package var direction: SignalTrend.Direction?

  /// The length of the bar in %: full at -40 dBm, empty at -100 dBm.
  package var percent: Int { (min(max(Int(strength), -100), -40) + 100) * 100 / 60 }

  /// The nearness as text: "near, coming closer".
  package var displayText: String {
    let distance =
      switch strength {
      case (-50)...: "very near"
      case (-65)...: "near"
      case (-80)...: "farther off"
      default: "far"
      }
    switch direction {
    case .rising: return "\(distance), coming closer"
    case .falling: return "\(distance), moving away"
    case .steady, nil: return distance
    }
  }
}

extension SignalTrend {
  var nearness: Nearness? {
    let last = strengths.suffix(3).sorted()
    return last.isEmpty ? nil : Nearness(strength: last[last.count / 2], direction: direction)
  }
}

extension State {
  /// The nearness by the link or else the advertising; nil if nothing is received.
  package var nearness: Nearness? {
    guard let headphone = headphones.selected else { return nil }
    if headphone.link.isConnected { return headphone.trend.nearness }
    return scan == .scanning ? headphone.approach.nearness : nil
  }

  package var nearnessProblem: String? {
    guard nearness == nil, let headphone = headphones.selected else { return nil }
    if headphone.link.isConnected {
      return "its signal cannot be measured while it is connected: ring it, or disconnect it"
    }
    switch scan {
    case .scanning: return "listening: nothing received of it yet"
    case .idle:
      guard case .ready = adapter else { return adapter.displayText }
      return "listening again…"
    case .denied, .failed: return "scanning does not work: the doctor (D) says why"
    }
  }

  /// The last time and place of the headphone and each bud, and the buds that are ringing.
  package var finderLines: [InfoLine] {
    guard let headphone = headphones.selected else { return [] }
    let today = latestTime?.date ?? ""
    let whole = InfoLine(
      label: "Last heard",
      value: headphone.link.isReady
        ? "connected now"
        : headphone.lastHeard.map { Sighting(at: $0, place: nil).displayText(today: today) })
    let buds = Side.allCases.compactMap { side in
      headphone.sightings[side].map { sighting in
        InfoLine(
          label: headphone.hasOneBattery
            ? "Headphone" : (side == .left ? "Left " : "Right ") + headphone.sideNoun,
          value: sighting.displayText(today: today))
      }
    }
    let sound = InfoLine(
      label: "Sound",
      value: (headphone.find.shown ?? []).findingText(isWhole: headphone.hasOneBattery))
    return [whole] + buds + (headphone.isSounding ? [sound] : [])
  }

  fileprivate mutating func ring(at timestamp: Timestamp) -> [Effect] {
    let availability = whetherToRing
    return availability == .available ? findOrStop() : explain(availability, at: timestamp)
  }

  private static let scanPause: Duration = .seconds(1)

  /// Scans while any screen shows the finder, with a pause between two scans.
  mutating func scanWhileFinding(
    isOpened: Bool, isRested: Bool, at timestamp: Timestamp
  ) -> [Effect] {
    if isOpened, screens[.finder] == 1 {
      for headphone in headphones {
        headphones.update(headphone.id) { $0.approach = SignalTrend() }
      }
    }
    guard screens[.finder] != nil, !isEnding, scan == .idle, case .ready = adapter else {
      return isAwaitingScan ? endScanPause() : []
    }
    if isRested || isOpened {
      forgetUnheard(since: finderScanStart)
      finderScanStart = timestamp
      return endScanPause() + [.startScan]
    }
    guard !isAwaitingScan else { return [] }
    isAwaitingScan = true
    return [.startTimer(.findAgain, .exactly(Self.scanPause))]
  }

  /// Clears the signal of headphones that the last scan did not report.
  private mutating func forgetUnheard(since start: Timestamp?) {
    guard let start else { return }
    for headphone in headphones
    where (headphone.received?.upperBound ?? start).milliseconds < start.milliseconds {
      headphones.update(headphone.id) { $0.approach = SignalTrend() }
    }
  }

  private mutating func endScanPause() -> [Effect] {
    defer { isAwaitingScan = false }
    return isAwaitingScan ? [.cancelTimer(.findAgain)] : []
  }
}
