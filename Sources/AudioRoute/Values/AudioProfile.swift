/// The Bluetooth profile that carries the sound.
public enum AudioProfile: Hashable, Sendable {
  /// Music.
  case a2dp
  /// Calls, with a microphone: HFP or HSP.
  case handsFree
  case leAudio
  /// In the server's words, for example "asha-sink".
  case other(String)

  /// The meaning of a profile's name; nil: no sound is carried to the headphone ("off").
  ///
  /// PulseAudio's modules say "a2dp_sink", "handsfree_head_unit" (HFP) and "headset_head_unit"
  /// (HSP); PipeWire says "a2dp-sink", "headset-head-unit", "bap-sink" and, for a card,
  /// the codec after it ("a2dp-sink-aac").
  public init?(serverName: String) {
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
