/// A setting whose title, place and explanation are the same for all makers' protocols.
struct KnownSetting: Hashable, Sendable {
  let id: SettingID
  private(set) var title: String
  /// The title in at most seven columns.
  private(set) var label: String
  let group: SettingDeclaration.Group
  /// The effect, in at most 34 columns.
  let explanation: String
  /// Whether each bud has its own value; identifiers, titles and labels then end in the side.
  let isSided: Bool
  let isGesture: Bool

  init?(_ id: SettingID) {
    if let known = Self.byID[id] {
      self = known
      return
    }
    for side in Side.allCases where id.rawValue.hasSuffix("-\(side)") {
      let stem = SettingID(rawValue: String(id.rawValue.dropLast("-\(side)".count)))
      guard var known = Self.byID[stem], known.isSided else { continue }
      known.title += " \(side)"
      known.label += side == .left ? " L" : " R"
      self = known
      return
    }
    // Inputs, gestures and modes have titles that depend on the headphone's report.
    for stem in Self.stems where id.rawValue.hasPrefix("\(stem.rawValue)-") {
      guard let known = Self.byID[stem] else { continue }
      self = known
      return
    }
    return nil
  }

  /// The prefixes of the identifiers of inputs, gestures and modes.
  static let stems: [SettingID] = ["input", "touch", "favourite"]

  private init(
    _ row: Row, _ group: SettingDeclaration.Group, isSided: Bool, isGesture: Bool
  ) {
    id = SettingID(rawValue: row.id)
    (title, label, explanation) = (row.title, row.label, row.explanation)
    (self.group, self.isSided, self.isGesture) = (group, isSided, isGesture)
  }

  private typealias Row = (id: String, title: String, label: String, explanation: String)

  private static func rows(
    _ group: SettingDeclaration.Group, isSided: Bool = false, isGesture: Bool = false,
    _ rows: [Row]
  ) -> [KnownSetting] {
    rows.map { KnownSetting($0, group, isSided: isSided, isGesture: isGesture) }
  }

  private static let byID: [SettingID: KnownSetting] = Dictionary(
    all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
}

extension SettingID {
  /// Whether the setting is known in advance, even if a headphone lacks it.
  public var isKnown: Bool {
    KnownSetting(self) != nil || Self.known.contains(self)
  }
}

extension SettingDeclaration {
  /// Creates the declaration of a known setting (``KnownSetting``).
  package init(_ id: SettingID, _ kind: Kind = .toggle, modes: [ANCMode]? = nil) {
    let known = KnownSetting(id)
    self.init(
      id, kind, title: known?.title ?? id.displayText, label: known?.label ?? id.displayText,
      group: known?.group ?? .device, modes: modes)
  }

  /// The effect in at most 34 columns, for the selected row, or nil if the title is enough.
  public var explanation: String? { KnownSetting(id)?.explanation }

  public var isGesture: Bool { KnownSetting(id)?.isGesture == true }
}

extension KnownSetting {
  static let all: [KnownSetting] =
    noise + sound + hearing + wearing + controls + presses + touches + device

  private static let noise: [KnownSetting] = rows(
    .noise,
    [
      ("noise-mode", "Noise control", "Noise", "How much of the outside you hear"),
      ("ambient-level", "Ambient level", "Level", "How much of the outside gets in"),
      ("focus-on-voice", "Focus on voice", "Voice", "Lets voices in rather than noise"),
      ("adaptive-ambient", "Adaptive ambient sound", "Adapt", "Follows the noise around you"),
      (
        "adaptive-sensitivity", "Ambient sensitivity", "Sensing", "How readily it follows the noise"
      ),
      ("cancelling-kind", "Cancelling kind", "Kind", "What the cancelling adapts to"),
      ("cancelling-scene", "Cancelling scene", "Scene", "Where you are"),
      ("cancelling-strength", "Cancelling strength", "Depth", "How much noise it removes"),
      (
        "personalised-cancelling", "Personalised cancelling", "Fitted",
        "Cancelling tuned to your ears"
      ),
      ("noise-cancelling-step", "Noise cancelling", "Noise", "How much noise it removes"),
      ("noise-kind", "Noise control kind", "Kind", "What noise control does"),
      ("hear-through", "Hear-through", "Hear", "Lets the outside in"),
      ("hear-through-level", "Hear-through level", "Let in", "How much of the outside gets in"),
      (
        "pause-in-hear-through", "Pause in hear-through", "Pauses",
        "Pauses while the outside is let in"
      ),
      ("comfort", "Comfort cancelling", "Comfort", "Less pressure on the ears"),
      ("outdoor-cancelling", "Outdoor cancelling", "Outdoor", "Tuned to wind and traffic"),
      (
        "one-bud-noise-control", "One-bud noise control", "One bud",
        "Noise control with one bud alone"
      ),
      (
        "one-bud-transparency", "One-bud transparency", "One bud",
        "Lets the outside in with one bud"
      ),
      ("transparency-kind", "Transparency kind", "Hear", "What transparency lets in"),
      (
        "transparency-strength", "Transparency strength", "Ambient", "How much transparency lets in"
      ),
      ("wind-reduction", "Wind noise reduction", "Wind", "Less rushing in the wind"),
      ("talk-through", "Talk-through", "Talk", "Lowers music to let voices in"),
      ("speak-to-chat", "Speak to chat", "Talk", "Pauses music when you speak"),
      ("speak-to-chat-sensitivity", "Chat sensitivity", "Talk at", "How readily your voice counts"),
      ("speak-to-chat-voice", "Focus on voice in chat", "Talk to", "Lets voices in meanwhile"),
      ("speak-to-chat-end", "Chat ends after", "Ends in", "When music returns after a chat"),
      ("conversation-awareness", "Conversation awareness", "Talk", "Lowers music while you speak"),
      (
        "conversation-detection", "Conversation detection", "Talk", "Lets voices in while you speak"
      ),
      ("conversation-end", "Conversation ends after", "Ends in", "When music returns after a talk"),
      ("off-allowed", "Off as a mode", "Off", "Noise control can be off"),
      ("louder-ambient", "Louder ambient sound", "Louder", "Lets in more of the outside"),
      ("listening-mode", "Listening mode", "Mode", "A mode stored in the headphone"),
    ])

  private static let sound: [KnownSetting] = rows(
    .sound,
    [
      ("equaliser-preset", "Equaliser", "EQ", "A curve stored in the headphone"),
      ("equaliser-bands", "Equaliser bands", "Bands", "Your own curve"),
      ("bass", "Bass", "Bass", "More or less bass"),
      ("clear-bass", "Clear Bass", "Bass", "More or less bass"),
      ("bass-boost", "Bass boost", "Bass", "More bass"),
      ("bass-boost-level", "Bass boost level", "Boost", "How much more bass"),
      ("middle", "Middle", "Mid", "More or less of the middle"),
      ("treble", "Treble", "Treble", "More or less treble"),
      ("dynamic-bass", "Dynamic bass", "Dynamic", "Deeper bass when it is quiet"),
      ("volume-equaliser", "Volume equaliser", "Vol EQ", "Keeps bass and treble when quiet"),
      ("volume", "Own volume", "Volume", "The headphone's own volume"),
      ("volume-limit", "Volume limit", "Limit", "Never plays louder than this"),
      ("personalised-volume", "Personalised volume", "AutoVol", "Follows the noise around you"),
      ("gain", "Gain", "Gain", "How loud it can play"),
      ("louder", "Louder", "Louder", "More volume than usual"),
      ("spatial-sound", "Spatial sound", "Spatial", "Sound from around you"),
      ("immersive-audio", "Immersive audio", "Immerse", "Sound from around you"),
      ("sound-mode", "Sound mode", "Sound", "What shapes the sound"),
      ("crossfeed", "Crossfeed", "Cross", "Blends left and right a little"),
      ("leakage-compensation", "Leakage compensation", "Leak", "More bass where the fit is loose"),
      ("mono", "Mono", "Mono", "The same sound in both ears"),
      ("dsee", "DSEE upscaling", "DSEE", "Restores what compression lost"),
      ("connection-priority", "Connection prefers", "Prefers", "Finer sound, or fewer dropouts"),
      ("high-resolution-codec", "High-resolution codec", "Hi-Res", "Finer sound, more battery"),
      ("ldac", "LDAC", "LDAC", "More detail, at a higher bit rate"),
      ("codec", "Codec in use", "Codec", "How the sound is compressed"),
      ("sample-rate", "Sample rate", "Rate", "How finely the sound is measured"),
      ("game-mode", "Game mode", "Game", "Less delay, for games and films"),
      ("low-latency", "Low latency", "Latency", "Less delay, for games and films"),
      ("sidetone", "Own voice in calls", "Own", "How well you hear yourself"),
      ("comfort-call", "Comfort call", "Call", "Calls sound more natural"),
      ("voice-guide", "Voice guide", "Guide", "Says aloud what it does"),
      ("voice-prompts", "Voice prompts", "Prompts", "Says aloud what it does"),
      ("prompt-volume", "Prompt volume", "Prompts", "How loud it says what it does"),
      ("tone-volume", "Tone volume", "Tones", "How loud its tones are"),
    ])

  private static let hearing: [KnownSetting] =
    rows(
      .sound,
      [
        ("preset", "Preset", "Preset", "How the aids treat what you hear"),
        ("preset-left", "Left preset", "Left", "How the left aid treats sound"),
        ("preset-right", "Right preset", "Right", "How the right aid treats sound"),
        ("preset-name", "Name of the preset", "Named", "What this preset is called"),
        ("offset-left", "Left volume offset", "Left +", "Louder or quieter than the rest"),
        ("offset-right", "Right volume offset", "Right +", "Louder or quieter than the rest"),
        ("input", "Input", "Input", "What you hear of this input"),
        ("microphone-muted", "Microphones muted", "Mic off", "Others do not hear you"),
      ])
    + rows(
      .device, [("asha", "Streaming for hearing aids", "ASHA", "What it says it can receive")])

  private static let wearing: [KnownSetting] =
    rows(
      .wearing,
      [
        ("wear-detection", "Wear detection", "Wear", "Notices when you take it off"),
        ("pause-when-taken-off", "Pause when taken off", "Pause", "Pauses when you take it off"),
        ("wearing-tone", "Wearing tone", "Put on", "Sounds when you put it on"),
        ("sleep-detection", "Pause when asleep", "Sleep", "Pauses when you fall asleep"),
        ("fit-test", "Fit test", "Test", "Plays a sound to try the tips"),
      ])
    + rows(.wearing, isSided: true, [("fit", "Fit", "Fit", "How well the tip seals")])

  private static let controls: [KnownSetting] = rows(
    .controls,
    [
      ("touch-lock", "Touch lock", "Lock", "Ignores touches"),
      ("touch-tone", "Touch tone", "Tone", "Sounds when you touch it"),
      ("touch-panel", "Touch panel", "Touch", "Reacts to touches"),
      ("touch-controls", "Touch controls", "Touch", "Reacts to touches"),
      ("swipe-length", "Swipe length", "Swipe t", "How long a swipe takes"),
      ("press-speed", "Press speed", "Speed", "How fast presses follow each other"),
      ("call-microphone", "Microphone in calls", "CallMic", "The bud that hears your voice"),
      ("hold-duration", "Hold duration", "Hold t", "How long a hold takes"),
    ])

  private static let presses: [KnownSetting] = rows(
    .controls, isGesture: true,
    [
      ("noise-button", "Noise control button", "Button", "The modes that the button steps by"),
      ("double-press", "Double press", "2 press", "What pressing twice does"),
      ("swipe", "Swipe", "Swipe", "What a swipe does"),
      ("volume-swipe", "Volume swipe", "Swipe", "A swipe changes the volume"),
      ("press-in-call", "Press in a call", "In call", "What one press does in a call"),
      ("double-tap-in-call", "Double tap in a call", "In call", "What two taps do in a call"),
      ("favourite", "Favourite mode", "Button", "The button goes through this mode"),
      ("hold-button", "Hold the button", "Hold", "What touch and hold does"),
      ("hold-off", "Off on hold", "0 hold", "What touch and hold does"),
      ("hold-cancelling", "Noise cancelling on hold", "NC hold", "What touch and hold does"),
      ("hold-transparency", "Transparency on hold", "T hold", "What touch and hold does"),
      ("hold-adaptive", "Adaptive on hold", "A hold", "What touch and hold does"),
      ("report-tap", "Report press", "Press", "Your hook acts, not the bud"),
      ("report-double-tap", "Report double press", "2 press", "Your hook acts, not the bud"),
      ("report-triple-tap", "Report triple press", "3 press", "Your hook acts, not the bud"),
      ("report-hold", "Report press and hold", "Hold", "Your hook acts, not the bud"),
    ])

  private static let touches: [KnownSetting] = rows(
    .controls, isSided: true, isGesture: true,
    [
      ("touch", "Touch", "Touch", "What this touch does"),
      ("tap", "Tap", "Tap", "What this touch does"),
      ("double-tap", "Double tap", "2 tap", "What this touch does"),
      ("triple-tap", "Triple tap", "3 tap", "What this touch does"),
      ("hold", "Touch and hold", "Hold", "What touch and hold does"),
      ("double-tap-hold", "Double tap and hold", "2hold", "What this touch does"),
      ("slide-up", "Slide up", "Up", "What this touch does"),
      ("slide-down", "Slide down", "Down", "What this touch does"),
      ("noise-cycle", "Touch and hold modes", "Modes", "The modes that holding steps by"),
    ])

  private static let device: [KnownSetting] = rows(
    .device,
    [
      ("multipoint", "Two devices at once", "Multi", "Stays connected to two devices"),
      ("primary-bud", "Primary bud", "Primary", "The bud that has the connection"),
      ("paired-devices", "Paired devices", "Devices", "Phones and computers it knows"),
      ("seamless-connection", "Seamless connection", "Handoff", "Goes to the device that you use"),
      (
        "bluetooth-compatibility", "Bluetooth compatibility", "Compat",
        "Plainer sound, fewer problems"
      ),
      ("auto-answer", "Automatic call answer", "Answer", "Answers calls automatically"),
      ("auto-power-off", "Automatic power off", "Off in", "Switches off when it is unused"),
      ("off-when-still", "Off when still", "Still", "Switches off when it lies still"),
      ("remaining-time", "Time left", "Left", "How long the battery lasts"),
      ("low-battery-prompt", "Low battery prompt", "Low", "Says when the battery is low"),
      ("case-sounds", "Case sounds", "Case", "The case makes sounds"),
      ("optimised-charging", "Optimised charging", "Charge", "Pauses at 80 % to last for years"),
    ])
}
