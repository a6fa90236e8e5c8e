import AudioRoute
import Headphones

extension State {
  mutating func adopt(_ observation: AudioObservation, at moment: Moment) -> [Effect] {
    let before = self
    audio = observation
    if case .unavailable(let reason) = observation {
      return note(.info, nil, "sound: \(reason.words)", at: moment)
    }
    var effects: [Effect] = []
    if let output, output.name != before.output?.name {
      effects = note(.info, nil, "the sound goes to \(output.description)", at: moment)
    }
    guard let headphone = headphones.selected else { return effects }
    switch (before.isInCallQuality(headphone), isInCallQuality(headphone)) {
    case (false, true):
      effects += say(
        "call quality audio: the microphone is open, which takes the music's quality",
        headphone.id, remedy: .switchProfile, at: moment)
    case (true, false) where route(of: headphone).profile != nil:
      effects += note(.info, headphone.id, "music quality again", at: moment)
    default: break
    }
    return effects
  }

  mutating func adopt(_ links: AudioLinks?, at moment: Moment) -> [Effect] {
    let before = self
    audioLinks = links
    var effects: [Effect] = []
    for headphone in headphones {
      guard let link = audioLink(of: headphone), link != before.audioLink(of: headphone) else {
        continue
      }
      // That a link is down is no news at the start.
      let isNews = link != .down || before.audioLinks != nil
      effects += note(isNews ? .info : .debug, headphone.id, link.words, at: moment)
    }
    return effects
  }

  mutating func complain(about error: AudioError, at moment: Moment) -> [Effect] {
    complain(error.words, advice: error.advice, at: moment)
  }

  /// `+` and `-`: the focused slider, else the volume.
  mutating func slide(by step: Int, at moment: Moment) -> [Effect] {
    if focus == .control, controlRow == .ancLevel, page == .main,
      headphones.selected?.capabilities?.hasANCLevel == true
    {
      return stepANCLevel(by: step, at: moment)
    }
    if isOwnVolumeFocused { return stepVolume(by: step, at: moment) }
    guard let sink = focusedSink else { return sayNoSink(at: moment) }
    let percent = min(max(0, sink.volume + 5 * step), 100)
    return percent == sink.volume ? [] : [.audio(.setVolume(sink: sink.name, percent: percent))]
  }

  /// The sound server's, or the headphone's own where the cursor is on it.
  mutating func toggleMute(at moment: Moment) -> [Effect] {
    if isOwnVolumeFocused { return toggleOwnMute(at: moment) }
    guard let sink = focusedSink else { return sayNoSink(at: moment) }
    return [.audio(.setMute(sink: sink.name, isMuted: !sink.isMuted))]
  }

  mutating func routeSound(at moment: Moment) -> [Effect] {
    guard let headphone = headphones.selected else { return sayNoSink(at: moment) }
    switch route(of: headphone) {
    case .connected:
      return say("the sound goes to this headphone already", headphone.id, at: moment)
    case .notRouted(let match, _):
      guard let sink = match.sink else {
        return say(
          "its sound device is switched off", headphone.id, remedy: .switchProfile, at: moment)
      }
      return [.audio(.route(sink: sink.name))]
    case .none:
      let address = headphone.publicAddress.map { " \($0)" } ?? ""
      return complain(
        "this machine has no sound link to \(name(of: headphone.id))",
        advice: "connect it in the desktop's sound settings, or: bluetoothctl connect\(address)",
        headphone.id, at: moment)
    case .unknown(let reason): return say("no sound route: \(reason.words)", at: moment)
    }
  }

  mutating func switchProfile(at moment: Moment) -> [Effect] {
    guard let id = headphones.selected?.id,
      let card = headphones[id].flatMap({ audioMatch(for: $0)?.card })
    else { return say("this headphone has no sound link", at: moment) }
    let wanted: AudioProfile = card.activeKind == .handsFree ? .a2dp : .handsFree
    guard card.bestProfile(wanted) != nil else {
      return say("no other profile is available", id, at: moment)
    }
    dialog = .question(Question(.switchProfile(id, to: wanted)))
    return []
  }

  /// The answer was Yes: the card as it is now.
  mutating func switchProfile(
    of id: HeadphoneID, to wanted: AudioProfile, at moment: Moment
  ) -> [Effect] {
    guard let card = headphones[id].flatMap({ audioMatch(for: $0)?.card }),
      let profile = card.bestProfile(wanted)
    else { return say("its sound device is gone", id, at: moment) }
    return [.audio(.setProfile(card: card.name, profile: profile.name))]
  }

  /// The headphone's own sink, else the one that sound goes to.
  private var focusedSink: AudioSink? {
    headphones.selected.flatMap { audioMatch(for: $0)?.sink } ?? output
  }

  private mutating func sayNoSink(at moment: Moment) -> [Effect] {
    if case .unavailable(let reason) = audio {
      return say("no volume: \(reason.words)", at: moment)
    }
    return say("the sound goes nowhere", at: moment)
  }
}
