package enum AudioProfile: Hashable, Sendable {
  /// Advanced Audio Distribution: music, without a microphone.
  case a2dp
  /// Hands-Free or Headset: calls, with a microphone.
  case handsFree
  /// Basic Audio over LE isochronous channels.
  case leAudio
  /// Any other profile, by the server's name, for example "asha-sink".
  case other(String)

  /// Creates the kind of a profile by its name; fails for "off", which carries no sound.
  ///
  /// PulseAudio's modules use "a2dp_sink", "handsfree_head_unit" (HFP) and "headset_head_unit"
  /// (HSP). PipeWire uses "a2dp-sink", "headset-head-unit", "bap-sink" and, for a card, a suffix
  /// with the codec ("a2dp-sink-aac").
  package init?(serverName: String) {
    let name = serverName.replacing("_", with: "-")
    let isCalled = { (prefix: String) in name == prefix || name.hasPrefix(prefix + "-") }
    switch name {
    case "off": return nil
    case _ where ["a2dp-sink", "a2dp-duplex", "a2dp-auto"].contains(where: isCalled): self = .a2dp
    case _ where ["headset-head-unit", "handsfree-head-unit"].contains(where: isCalled):
      self = .handsFree
    case _ where ["bap-sink", "bap-duplex"].contains(where: isCalled): self = .leAudio
    default: self = .other(serverName)
    }
  }
}
