import AudioRoute

package struct LinkSummary: Hashable, Sendable {
  /// The sentence, not sanitised where it quotes names.
  package var text: String
  package var remedies: [UserCommand]
}

extension State {
  /// Returns the summary of the audio route and control link, in lower case without a full stop.
  ///
  /// Remedies for the sound come first. A headphone that only advertises never gets the advice to
  /// connect.
  package func situation(of headphone: HeadphoneState) -> LinkSummary {
    // The headphone plays a broadcast, whatever this computer sends.
    if let words = broadcastText(of: headphone) {
      return LinkSummary(text: words, remedies: [.broadcasts])
    }
    var situation = situationOfBothLinks(of: headphone)
    if headphone.isAdvertisingOnly { situation.remedies.removeAll { $0 == .connectOrDisconnect } }
    return situation
  }

  private func situationOfBothLinks(of headphone: HeadphoneState) -> LinkSummary {
    let control = headphone.link.isReady
    let why = headphone.linkText
    let controls =
      headphone.link == .unwanted(.disconnected(.user))
      ? "you disconnected the controls" : "controls \(why)"
    let link = audioLinkText(of: headphone)
    switch (route(of: headphone), control) {
    case (.connected, true) where isInCallQuality(headphone):
      return LinkSummary(
        text: "sound and controls are working, in call quality",
        remedies: [.microphone, .switchProfile])
    case (.connected, true):
      return LinkSummary(text: "sound and controls are working", remedies: [])
    case (.connected(let sink, _), false):
      let sound = sink.activity == .running ? "playing here" : "audio is on this headphone"
      let quality = isInCallQuality(headphone) ? " in call quality" : ""
      return LinkSummary(
        text: "\(sound)\(quality); \(controls)", remedies: [.connectOrDisconnect])
    case (.notRouted(_, let elsewhere), true):
      return LinkSummary(
        text: "controls work; audio goes to \(name(of: elsewhere))", remedies: [.routeSound])
    case (.notRouted(_, let elsewhere), false):
      return LinkSummary(
        text: "audio goes to \(name(of: elsewhere)); \(controls)",
        remedies: [.routeSound, .connectOrDisconnect])
    case (.none, true):
      let sound = link.map { "; \($0)" } ?? ", but audio isn't connected"
      return LinkSummary(text: "controls work\(sound)", remedies: [])
    case (.none, false):
      return LinkSummary(
        text: link.map { "\(controls); \($0)" } ?? why, remedies: [.connectOrDisconnect])
    case (.unknown(let reason), true):
      let sound = link ?? "audio unknown: \(reason.displayText)"
      return LinkSummary(text: "controls work; \(sound)", remedies: [])
    case (.unknown(let reason), false):
      let sound = link ?? "audio unknown: \(reason.displayText)"
      return LinkSummary(
        text: "\(controls); \(sound)", remedies: [.connectOrDisconnect])
    }
  }

  private func name(of sink: AudioSink?) -> String { sink?.description ?? "nowhere" }
}
