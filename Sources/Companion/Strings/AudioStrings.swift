package import AudioRoute
import HeadphoneProtocols

extension AudioUnavailable {
  package var displayText: String {
    switch self {
    case .notStarted: "not asked yet"
    case .noServer: "no sound server"
    case .serverEnded: "the sound server ended"
    case .accessDenied: "the sound server refuses access"
    case .unresponsive: "the sound server does not answer"
    case .noLibrary: "libpulse cannot be loaded"
    case .failed(let what): what
    }
  }

  package var advice: String {
    switch self {
    case .noServer, .serverEnded: "start a sound server; Earshot then finds it"
    case .accessDenied: "run earshot as the user who owns the sound session"
    case .unresponsive: "restart it, for example: systemctl --user restart pipewire-pulse"
    case .noLibrary:
      "install it (Debian: libpulse0, Fedora: pulseaudio-libs) and start earshot again"
    case .notStarted, .failed: ""
    }
  }

  package var messageAndAdvice: String { AudioError.unavailable(self).messageAndAdvice }
}

extension SoundMode {
  /// The purpose and codec: "music, SBC-XQ".
  package var displayText: String {
    let purpose =
      switch profile.kind {
      case nil: "off, no sound"
      case .a2dp?: "music"
      case .handsFree?: "calls (microphone, telephone quality)"
      case .leAudio?: "LE Audio"
      case .other?: displayable(profile.description)
      }
    return [purpose, codecName.map(codecText)].compactMap(\.self).joined(separator: ", ")
  }
}

extension AudioProfile {
  /// The profile with its purpose: "music (A2DP)".
  package var displayText: String {
    switch self {
    case .a2dp: "music (A2DP)"
    case .handsFree: "calls (HFP)"
    case .leAudio: "LE Audio"
    case .other(let name): name
    }
  }
}

/// Returns the name of a codec as its makers write it, from a server's name such as "sbc_xq_552".
package func codecText(_ serverName: String) -> String {
  let name = serverName.lowercased()
  let words = [
    "sbc_xq": "SBC-XQ", "aptx": "aptX", "aptx_hd": "aptX HD", "msbc": "mSBC",
    "lc3_swb": "LC3-SWB", "faststream": "FastStream", "opus_05": "Opus", "opus_g": "Opus (Google)",
    "aptx_ll": "aptX LL", "aptx_adaptive": "aptX Adaptive", "lc3plus_hr": "LC3plus",
    "samsung_hd": "Samsung HD", "samsung_scalable": "Samsung Scalable",
  ]
  if let text = words[name] { return text }
  if name.hasPrefix("lhdc_v"), let version = Int(name.dropFirst(6)) { return "LHDC \(version)" }
  if name.hasPrefix("sbc_xq_"), let rate = Int(name.dropFirst(7)) {
    return "SBC-XQ \(rate) kbit/s"
  }
  return displayable(serverName.uppercased().replacing("_", with: "-"))
}

extension RouteState {
  /// The stable names of the states in `status --json`.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case connected, notRouted, none, unknown
  }

  package var name: Name {
    switch self {
    case .connected: .connected
    case .notRouted: .notRouted
    case .none: .none
    case .unknown: .unknown
    }
  }
}

extension AudioError {
  package var displayText: String {
    switch self {
    case .unavailable(let reason): reason.displayText
    case .notFound(let device): "\(device) is gone"
    case .refused(let what): "the sound server refused: \(what)"
    }
  }

  var advice: String {
    switch self {
    case .unavailable(let reason): reason.advice
    case .notFound: "connect the headphone's sound again"
    case .refused: ""
    }
  }

  package var messageAndAdvice: String {
    advice.isEmpty ? displayText : "\(displayText)\n\(advice)"
  }
}

extension AudioLink {
  package var displayText: String {
    switch self {
    case .down: "audio link down"
    case .up: "audio link up"
    case .call: "audio link up, with call audio"
    }
  }
}

extension State {
  /// Returns the state of an audio link that the sound server does not know.
  package func audioLinkText(of headphone: HeadphoneState) -> String? {
    guard let link = audioLink(of: headphone) else { return nil }
    switch (route(of: headphone), link) {
    case (.unknown, _): return "\(link.displayText), unknown to the sound server"
    case (.none, .up), (.none, .call):
      return "\(link.displayText), the sound server has no device for it"
    case (.none, .down), (.connected, _), (.notRouted, _): return nil
    }
  }
}
