package import HeadphoneProtocols

extension BroadcastFailure {
  package var displayText: String {
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

  package var advice: String {
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
  package var displayText: String {
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
  func displayText(
    title: (ReceiveState) -> String = {
      Broadcast($0.source.broadcast, at: $0.source.address).title
    }
  ) -> String {
    let bud = side.map { "\($0.name) bud: " } ?? ""
    if let set = triedSet { return "\(bud)looks for the broadcast in set \(set) of 0 to 15" }
    let all = sources.map { "\(title($0)), \($0.displayText)" }
    return bud + (all.isEmpty ? "no broadcast" : all.joined(separator: "; "))
  }
}

extension Broadcast {
  /// The language's name, or its code if it is rare; nil if it is not announced.
  package var languageText: String? {
    language.map { Self.languages[$0.lowercased()] ?? $0 }
  }

  /// The names of ISO 639-3 codes, including the bibliographic codes.
  private static let languages: [String: String] = [
    "ara": "Arabic", "bul": "Bulgarian", "cat": "Catalan", "ces": "Czech", "cmn": "Mandarin",
    "cze": "Czech", "dan": "Danish", "deu": "German", "dut": "Dutch", "ell": "Greek",
    "eng": "English", "est": "Estonian", "eus": "Basque", "fas": "Persian", "fin": "Finnish",
    "fra": "French", "fre": "French", "ger": "German", "gle": "Irish", "gre": "Greek",
    "heb": "Hebrew", "hin": "Hindi", "hrv": "Croatian", "hun": "Hungarian", "ind": "Indonesian",
    "isl": "Icelandic", "ita": "Italian", "jpn": "Japanese", "kor": "Korean", "lav": "Latvian",
    "lit": "Lithuanian", "nld": "Dutch", "nob": "Norwegian", "nor": "Norwegian", "pol": "Polish",
    "por": "Portuguese", "ron": "Romanian", "rus": "Russian", "slk": "Slovak", "slv": "Slovenian",
    "spa": "Spanish", "srp": "Serbian", "swe": "Swedish", "tha": "Thai", "tur": "Turkish",
    "ukr": "Ukrainian", "vie": "Vietnamese", "yue": "Cantonese", "zho": "Chinese",
  ]

  package var lockText: String? { isLocked.map { $0 ? "locked" : "open" } }

  /// The qualities in words, such as "high quality"; nil if not announced.
  package var qualityText: String? {
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
  /// Returns, for example, "listening to Gate B12 (Auracast), not to this computer".
  package func broadcastText(of headphone: HeadphoneState) -> String? {
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

  package func title(of state: ReceiveState) -> String {
    let id = state.source.broadcast
    return broadcasts.list.first { $0.id == id }?.title ?? state.metadata.broadcastName
      ?? state.metadata.programme ?? Broadcast(id, at: state.source.address).title
  }
}
