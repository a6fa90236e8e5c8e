import AudioRoute

/// One sentence about both links of a headphone, with the commands that help.
public struct LinkSummary: Hashable, Sendable {
  /// Unsanitised where it quotes names.
  public var text: String
  /// The commands that help; empty: nothing is to be done.
  public var remedies: [UserCommand]
}

extension State {
  /// The summary of a headphone's audio route and control link.
  public func situation(of headphone: HeadphoneState) -> LinkSummary {
    var situation = situationOfBothLinks(of: headphone)
    if headphone.isAdvertisingOnly { situation.remedies.removeAll { $0 == .connectOrDisconnect } }
    return situation
  }

  private func situationOfBothLinks(of headphone: HeadphoneState) -> LinkSummary {
    let control = headphone.link.isReady
    let why = headphone.linkText
    let link = audioLinkText(of: headphone)
    switch (route(of: headphone), control) {
    case (.connected, true) where isInCallQuality(headphone):
      return LinkSummary(
        text: "sound and controls are on this headphone, in call quality",
        remedies: [.switchProfile])
    case (.connected, true):
      return LinkSummary(text: "sound and controls are on this headphone", remedies: [])
    case (.connected(let sink, _), false):
      let sound = sink.activity == .running ? "sound plays here" : "sound goes here"
      let quality = isInCallQuality(headphone) ? " in call quality" : ""
      return LinkSummary(
        text: "\(sound)\(quality), but controls are unavailable: \(why)",
        remedies: [.connectOrDisconnect])
    case (.notRouted(_, let elsewhere), true):
      return LinkSummary(
        text: "controls work, but the sound goes to \(name(of: elsewhere))",
        remedies: [.routeSound])
    case (.notRouted(_, let elsewhere), false):
      return LinkSummary(
        text: "the sound goes to \(name(of: elsewhere)); controls are unavailable: \(why)",
        remedies: [.routeSound, .connectOrDisconnect])
    case (.none, true):
      let sound =
        link.map { "; \($0)" } ?? ", but this machine has no sound link to the headphone"
      return LinkSummary(text: "controls work\(sound)", remedies: [])
    case (.none, false):
      let text =
        link.map { "controls are unavailable: \(why); \($0)" }
        ?? "neither sound nor controls: \(why)"
      return LinkSummary(text: text, remedies: [.connectOrDisconnect])
    case (.unknown(let reason), true):
      let sound = link ?? "where the sound goes is unknown: \(reason.displayText)"
      return LinkSummary(text: "controls work; \(sound)", remedies: [])
    case (.unknown(let reason), false):
      let sound = link ?? "the sound is unknown: \(reason.displayText)"
      return LinkSummary(
        text: "controls are unavailable: \(why); \(sound)", remedies: [.connectOrDisconnect])
    }
  }

  private func name(of sink: AudioSink?) -> String { sink?.description ?? "nowhere" }
}
