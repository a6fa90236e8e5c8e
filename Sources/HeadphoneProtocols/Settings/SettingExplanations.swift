extension SettingDeclaration {
  /// What it does, in at most 34 columns, for the frame around the row under the cursor; nil: its
  /// title says it.
  public var explanation: String? {
    let name = id.rawValue
    return Self.explanations[name]
      ?? Self.explanations.first { $0.key.hasSuffix("-") && name.hasPrefix($0.key) }?.value
  }

  /// The settings with an explanation of their own.
  static let explained = explanations.keys.filter { !$0.hasSuffix("-") }.sorted()
    .map(SettingID.init(rawValue:))

  /// By identifier, or by the beginning of several, which ends with "-".
  private static let explanations = [
    "noise-mode": "How much of the outside you hear",
    "ambient-level": "How much of the outside gets in",
    "focus-on-voice": "Lets voices in rather than noise",
    "adaptive-ambient": "Follows the noise around you",
    "adaptive-sensitivity": "How readily it follows the noise",
    "cancelling-kind": "What the cancelling adapts to",
    "cancelling-scene": "Where you are",
    "cancelling-strength": "How much noise it removes",
    "noise-cancelling-step": "How much noise it removes",
    "noise-kind": "What noise control does",
    "comfort": "Less pressure on the ears",
    "outdoor-cancelling": "Tuned to wind and traffic",
    "one-bud-noise-control": "Noise control with one bud alone",
    "transparency-kind": "What transparency lets in",
    "transparency-strength": "How much transparency lets in",
    "wind-reduction": "Less rushing in the wind",
    "talk-through": "Lowers music to let voices in",
    "speak-to-chat": "Pauses music when you speak",
    "speak-to-chat-sensitivity": "How readily your voice counts",
    "speak-to-chat-voice": "Lets voices in meanwhile",
    "speak-to-chat-end": "When music returns after a chat",
    "conversation-awareness": "Lowers music while you speak",
    "conversation-end": "When music returns after a talk",
    "conversation-detection": "Lets voices in while you speak",
    "preset": "How the aids treat what you hear",
    "preset-left": "How the left aid treats sound",
    "preset-right": "How the right aid treats sound",
    "preset-name": "What this preset is called",
    "offset-": "Louder or quieter than the rest",
    "input-": "What you hear of this input",
    "microphone-muted": "Others do not hear you",
    "asha": "What it says it can receive",
    "listening-mode": "A mode stored in the headphone",
    "equaliser-preset": "A curve stored in the headphone",
    "equaliser-bands": "Your own curve",
    "bass": "More or less bass", "clear-bass": "More or less bass",
    "bass-boost": "More bass", "middle": "More or less of the middle",
    "treble": "More or less treble",
    "dynamic-bass": "Deeper bass when it is quiet",
    "volume-equaliser": "Keeps bass and treble when quiet",
    "louder": "More volume than usual",
    "spatial-sound": "Sound from around you",
    "mono": "The same sound in both ears",
    "high-resolution-codec": "Finer sound, more battery",
    "dsee": "Restores what compression lost",
    "ldac": "More detail, at a higher bit rate",
    "codec": "How the sound is compressed",
    "game-mode": "Less delay, for games and films",
    "low-latency": "Less delay, for games and films",
    "volume": "The headphone's own volume",
    "sidetone": "How well you hear yourself",
    "voice-guide": "Says aloud what it does",
    "voice-prompts": "Says aloud what it does",
    "wear-detection": "Notices when you take it off",
    "pause-when-taken-off": "Pauses when you take it off",
    "touch-lock": "Ignores touches",
    "touch-panel": "Reacts to touches",
    "touch-controls": "Reacts to touches",
    "noise-cycle-": "The modes that holding steps by",
    "tap-": "What this touch does", "double-tap-": "What this touch does",
    "triple-tap-": "What this touch does",
    "swipe": "What a swipe does",
    "report-": "Your hook acts, not the bud",
    "touch-": "What this touch does", "hold-": "What touch and hold does",
    "left-": "What this touch does", "right-": "What this touch does",
    "noise-button": "The modes that the button steps by",
    "auto-answer": "Answers calls by itself",
    "auto-power-off": "Switches off when it is unused",
    "multipoint": "Stays connected to two devices",
    "remaining-time": "How long the battery lasts",
    "paired-devices": "Phones and computers it knows",
    "seamless-connection": "Goes to the device that you use",
  ]
}
