public import HeadphoneProtocols

extension BroadcastFailure {
  /// What happened, lower case.
  public var displayText: String {
    switch self {
    case .codeNeeded: "it is locked, and needs a code"
    case .wrongCode: "the code is wrong"
    case .notFound: "the headphone does not find it"
    case .noTransfer:
      "the headphone needs a synchronisation from this computer, which cannot give it"
    case .noSound: "the headphone finds it, but no sound in it"
    case .ignored: "the headphone accepted that, and does nothing"
    case .full: "the headphone has no room for another broadcast"
    case .removed: "another device has ended it"
    case .staysOn: "the headphone keeps listening"
    case .superseded: "another request came"
    }
  }

  /// What to do about it; empty: nothing is known to help.
  public var advice: String {
    switch self {
    case .codeNeeded: "ask the venue for the code: earshot broadcast join NAME --code -"
    case .wrongCode: "codes are case-sensitive; ask the venue"
    case .notFound: "go nearer to it, and try again"
    case .noTransfer, .removed, .superseded: ""
    case .noSound: "it may be silent, or of a quality that the headphone cannot play"
    case .ignored, .staysOn: "try again; if it happens again, reconnect"
    case .full: "earshot broadcast leave makes room"
    }
  }
}

extension ReceiveState {
  /// What the headphone does with this source, lower case.
  public var displayText: String {
    if isPlaying { return "listening" }
    switch (sync, encryption) {
    case (_, .badCode): return "the code is wrong"
    case (_, .codeRequired): return "locked, waits for a code"
    case (.wantsTransfer, _): return "waits for a synchronisation from this computer"
    case (.failed, _): return "not found"
    case (.noTransfer, _): return "got no synchronisation from this computer"
    case (_, .decrypting): return "unlocked, no sound yet"
    case (.on, _): return hasNoStreams ? "found, no sound" : "found, no sound yet"
    case (.off, _): return "not listening"
    }
  }
}

extension BroadcastReception {
  /// "left bud: broadcast 00123A listening", for the log.
  var displayText: String {
    let bud = side.map { "\($0.name) bud: " } ?? ""
    if let set = triedSet { return "\(bud)looks for the broadcast in set \(set) of 0 to 15" }
    let all = sources.map { "broadcast \($0.source.broadcast.displayText): \($0.displayText)" }
    return bud + (all.isEmpty ? "no broadcast" : all.joined(separator: ", "))
  }
}

extension Broadcast {
  /// "locked", "open"; nil: it does not say.
  public var lockText: String? { isLocked.map { $0 ? "locked" : "open" } }

  /// "high quality", "standard quality", "both qualities"; nil: it does not say.
  public var qualityText: String? {
    guard let features else { return nil }
    switch (features.contains(.standardQuality), features.contains(.highQuality)) {
    case (true, true): return "both qualities"
    case (false, true): return "high quality"
    case (true, false): return "standard quality"
    case (false, false): return nil
    }
  }
}

extension State {
  /// What a headphone listens to in place of this computer, by its receive states; nil: to no
  /// broadcast.
  ///
  /// "listening to Gate B12 (Auracast), not to this computer"
  public func broadcastText(of headphone: HeadphoneState) -> String? {
    let playing = headphone.receptions.filter { $0.playing != nil }
    guard headphone.link.isReady, let state = playing.first?.playing else { return nil }
    let title = title(of: state)
    if headphone.receptions.count > 1, playing.count == 1, let side = playing[0].side {
      let other = headphone.receptions.first { $0.side != side }?.sources.first
      return "\(side.name) bud: listening to \(title) (Auracast); other bud: "
        + (other?.displayText ?? "not listening")
    }
    return "listening to \(title) (Auracast), not to this computer"
  }

  /// The name of a source: as it advertises, else by its metadata, else its identity.
  public func title(of state: ReceiveState) -> String {
    let id = state.source.broadcast
    return broadcasts.list.first { $0.id == id }?.title ?? state.metadata.broadcastName
      ?? state.metadata.programme ?? Broadcast(id, at: state.source.address).title
  }
}
