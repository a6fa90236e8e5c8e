import BluetoothCodec
import HeadphoneProtocols

extension State {
  func hookRuns(since before: HeadphoneList, _ action: Action) -> [Effect] {
    headphones(andRemovedSince: before, by: action).flatMap { headphone -> [Effect] in
      let old = before[headphone.id]
      let events = headphone.events(since: old) + headphone.touches(in: action)
      return events.compactMap { hook, details in
        preferences.hooks[hook].map { command in
          .runHook(
            HookRun(
              hook, command, headphone: headphone.id,
              variables: headphone.variables(for: hook).merging(details) { $1 }))
        }
      }
    }
  }
}

extension State {
  func notify(since before: HeadphoneList, _ action: Action) -> [Effect] {
    headphones(andRemovedSince: before, by: action).compactMap { headphone in
      let wasUp = before[headphone.id]?.isUp ?? false
      let name = headphones.label(of: headphone)
      switch (wasUp, headphone.isUp) {
      case (false, true) where preferences.notifications.connected:
        return .notify(summary: "\(name) is connected", body: charges(of: headphone))
      case (true, false) where preferences.notifications.disconnected:
        return .notify(summary: "\(name) is disconnected", body: headphone.link.displayText)
      default: return nil
      }
    }
  }

  /// Returns the headphones, and those that `action` removed, as disconnected.
  ///
  /// Merged headphones and those that joined a set continue as the other entry.
  private func headphones(
    andRemovedSince before: HeadphoneList, by action: Action
  ) -> [HeadphoneState] {
    let removed = before.filter { headphones[$0.id] == nil }
    let isMerged = headphones.contains { $0.isUp && before[$0.id]?.isUp != true }
    let hasJoined = if case .joined = action { true } else { false }
    guard !removed.isEmpty, !isMerged, !hasJoined else { return headphones.map(\.self) }
    return headphones
      + removed.map { headphone in
        var headphone = headphone
        headphone.link = .unwanted(.disconnected(.user))
        return headphone
      }
  }

  private func charges(of headphone: HeadphoneState) -> String {
    headphone.battery?.value.displayText(isOnlyOne: headphone.hasOneBattery) ?? ""
  }
}

extension HeadphoneState {
  fileprivate func events(since old: HeadphoneState?) -> [(Hook, [String: String])] {
    var events: [(Hook, [String: String])] = []
    switch (old?.isUp ?? false, isUp) {
    case (false, true): events.append((.connected, [:]))
    case (true, false): events.append((.disconnected, ["EARSHOT_REASON": link.displayText]))
    default: break
    }
    if let wearing, let worn = old?.wearing {
      if wearing.isAny, !worn.isAny { events.append((.worn, [:])) }
      if wearing.isNone, worn.isAny { events.append((.takenOff, [:])) }
    }
    switch (old?.care.speech == nil, care.speech == nil) {
    case (true, false): events.append((.speaking, [:]))
    case (false, true): events.append((.silent, [:]))
    default: break
    }
    let low = Part.allCases.filter { part in
      guard let charge = reportedCharges[part] else { return false }
      return old?.reportedCharges[part].map { $0 < charge } ?? true
    }
    if let worst = low.compactMap({ reportedCharges[$0] }).max() {
      let level = low.compactMap { battery?.value[$0]?.level }.min()
      events.append(
        (
          .lowBattery,
          [
            "EARSHOT_PARTS": low.map(\.name).joined(separator: " "),
            "EARSHOT_CHARGE": worst == .critical ? "critical" : "low",
            "EARSHOT_LEVEL": level.map { "\($0)" } ?? "",
          ]
        ))
    }
    return events
  }

  /// Returns the gesture that `action` reports, as the state does not contain it.
  fileprivate func touches(in action: Action) -> [(Hook, [String: String])] {
    guard case .headphone(id, .touchUsed(let side, let gesture)) = action, isUp else { return [] }
    return [(.touch, ["EARSHOT_SIDE": side.name, "EARSHOT_GESTURE": gesture.name])]
  }

  /// Whether the link can be used, including while a pairing question is open.
  fileprivate var isUp: Bool {
    switch link.use {
    case .ready, .firmwareUpdate, .factoryReset, .pairing(during: nil): true
    case .starting, .pairing, nil: false
    }
  }

  fileprivate func variables(for hook: Hook) -> [String: String] {
    var variables = [
      "EARSHOT_EVENT": hook.rawValue, "EARSHOT_ID": id.rawValue, "EARSHOT_NAME": displayable(name),
      "EARSHOT_ADDRESS": address.address.description,
    ]
    for (part, battery) in battery?.value ?? [:] {
      variables["EARSHOT_\(part.name.uppercased())"] = battery.level.map { "\($0)" }
    }
    variables["EARSHOT_ANC"] = anc.confirmed?.name
    return variables
  }
}
