package import AudioRoute
package import BluetoothCodec
package import HeadphoneProtocols

/// What was read of the computer and of bluetoothd for the report on sound quality.
package struct SoundSurvey: Hashable, Sendable {
  package struct Headphone: Hashable, Sendable {
    package var name: String
    /// The address in upper case.
    package var address: String
    package var offered: [MediaCapabilities]
    package var stream: MediaCapabilities?

    package init(
      name: String, address: String, offered: [MediaCapabilities], stream: MediaCapabilities? = nil
    ) {
      self.name = name
      self.address = address
      self.offered = offered
      self.stream = stream
    }
  }

  /// The codecs of PipeWire's plug-ins, or nil if none were found.
  package var pipeWire: Set<String>?
  /// The codecs of the GStreamer plug-ins that PulseAudio uses, without SBC, which is built in.
  package var pulseAudio: Set<String>
  /// The connected headphones with endpoints, or nil if bluetoothd does not respond.
  package var headphones: [Headphone]?
  /// The lines of the log, oldest first.
  package var log: [String]

  package init(
    pipeWire: Set<String>? = nil, pulseAudio: Set<String> = [], headphones: [Headphone]? = nil,
    log: [String] = []
  ) {
    self.pipeWire = pipeWire
    self.pulseAudio = pulseAudio
    self.headphones = headphones
    self.log = log
  }
}

/// A line of the report on sound quality.
package struct SoundFinding: Hashable, Sendable {
  package enum Part: String, Hashable, Sendable, CaseIterable {
    /// The codecs of this computer.
    case computer
    /// The codecs that the headphone offers.
    case headphone
    case inUse = "in-use"
    /// Why it sounds no better, and what helps.
    case better
  }

  package var part: Part
  package var state: DiagnosticResult.State
  /// The finding, in lower case and without a full stop; names in it are not sanitised.
  package var what: String
  package var advice: Fix?

  init(_ part: Part, _ state: DiagnosticResult.State, _ what: String, _ advice: Fix? = nil) {
    self.part = part
    self.state = state
    self.what = what
    self.advice = advice
  }
}

/// The facts for the report on a headphone's sound quality, from which ``findings`` follow.
package struct SoundQualityFacts: Hashable, Sendable {
  package var audio: AudioObservation
  /// The headphone's name, or nil if there is none.
  package var name: String?
  package var card: AudioCard?
  package var use: SoundUse?
  package var condition: SoundCondition?
  package var survey: SoundSurvey
  /// The upper-case address of the headphone's sound, or nil if unknown.
  package var address: String?
  /// The headphone's settings that decide which codecs it offers, by their confirmed values.
  package var settings: [SettingID: SettingValue] = [:]
  /// The values that each of these settings can have.
  package var choices: [SettingID: [String]] = [:]
  /// The number of devices that the headphone is connected with, or nil if it does not tell.
  package var connections: Int?

  package init(
    audio: AudioObservation, name: String? = nil, card: AudioCard? = nil, use: SoundUse? = nil,
    condition: SoundCondition? = nil, survey: SoundSurvey = SoundSurvey(), address: String? = nil
  ) {
    self.audio = audio
    self.name = name.map(displayable)
    self.card = card
    self.use = use
    self.condition = condition
    self.survey = survey
    self.address = address
  }
}

/// The codecs for music in the order in which PipeWire prefers them (codec-loader.c).
private let preferred = ["lc3", "ldac", "aptx_hd", "aptx", "aac", "lc3plus_hr", "mp3", "sbc"]
/// Codecs whose names begin like another's, and those without a place in the order.
private let others = [
  "sbc_xq", "aac_eld", "aptx_ll", "aptx_adaptive", "faststream", "opus_05", "opus_g", "lhdc_v5",
]

/// Returns the codec of a server's name for one of its variants: "ldac" for "ldac_hq".
func codecFamily(_ serverName: String) -> String {
  let name = serverName.lowercased()
  let families = (preferred + others).filter { name == $0 || name.hasPrefix($0 + "_") }
  return families.max { $0.count < $1.count } ?? name
}

extension SoundQualityFacts {
  private static let priority: SettingID = "connection-priority"
  private static let ldac: SettingID = "ldac"
  static let relevantSettings = [priority, ldac, .multipoint]

  package var findings: [SoundFinding] { [computer, headphone, inUse] + better }

  /// The codecs of this computer, most preferred first; nil if the sound server does not tell.
  package var computerCodecs: [String]? {
    guard case .running(let sound) = audio else { return nil }
    let ofCard = (card?.profiles.compactMap(\.codec) ?? []) + (card?.codecs.map(\.name) ?? [])
    var codecs = Set(ofCard.map(codecFamily))
    if sound.isPipeWire {
      guard let plugins = survey.pipeWire else { return nil }
      codecs.formUnion(plugins)
    } else {
      codecs.formUnion(survey.pulseAudio)
      codecs.insert("sbc")
    }
    return sorted(codecs.subtracting(Self.forCalls))
  }

  private static let forCalls: Set<String> = ["cvsd", "msbc", "lc3_swb"]

  /// What bluetoothd reports of the headphone, or nil if it reports nothing.
  package var endpoints: SoundSurvey.Headphone? {
    survey.headphones?.first { $0.address == address }
  }

  /// The codecs that the headphone offers, most preferred first, each once.
  package var offered: [MediaCapabilities]? {
    endpoints.map { headphone in
      sorted(Set(headphone.offered.map(\.codec))).compactMap { name in
        headphone.offered.first { $0.codec == name }
      }
    }
  }

  private func sorted(_ codecs: Set<String>) -> [String] {
    codecs.sorted { (rank($0), $0) < (rank($1), $1) }
  }

  private func rank(_ codec: String) -> Int {
    preferred.firstIndex(of: codec) ?? preferred.count
  }

  private var serverName: String {
    guard case .running(let sound) = audio else { return "the sound server" }
    let version = sound.serverName.firstMatch(of: /PipeWire [0-9.]+[0-9]/)
    return version.map { String($0.output) } ?? "\(sound.serverName) \(sound.serverVersion)"
  }

  private var computer: SoundFinding {
    if case .unavailable(let reason) = audio {
      return SoundFinding(
        .computer, .unknown, reason.displayText,
        reason.advice.isEmpty ? "earshot doctor" : .advice(reason.advice))
    }
    guard let codecs = computerCodecs else {
      return SoundFinding(
        .computer, .unknown, "\(serverName): its codecs are in none of the usual folders",
        "find / -name 'libspa-codec-bluez5-*.so' 2>/dev/null")
    }
    let names = codecs.map(codecText).joined(separator: ", ")
    return SoundFinding(.computer, .ok, "\(serverName): \(names)")
  }

  private var headphone: SoundFinding {
    guard let offered, !offered.isEmpty else {
      guard let name else {
        return SoundFinding(
          .headphone, .unknown, "no headphone", "earshot scan finds one, earshot pair takes it")
      }
      return survey.headphones == nil
        ? SoundFinding(
          .headphone, .unknown, "bluetoothd does not answer, or is not seen", "earshot doctor")
        : SoundFinding(
          .headphone, .unknown, "bluetoothd lists what it offers once its sound is connected",
          .command("earshot", "audio", "connect", name))
    }
    return SoundFinding(
      .headphone, .ok, offered.map(\.offerText).joined(separator: ", "))
  }

  private var inUse: SoundFinding {
    guard let use else {
      let words = condition?.displayText ?? "its sound is not connected here"
      return SoundFinding(.inUse, .unknown, words, adviceOnCondition ?? "earshot doctor")
    }
    var parts = [use.displayText]
    if let stream = endpoints?.stream,
      use.codec.map({ codecFamily($0) == codecFamily(stream.codec) || isSBC($0, stream) }) ?? true
    {
      parts += stream.streamTexts
    }
    let isCall = use.profile == .handsFree
    let why = isCall ? condition.map { ": \($0.displayText)" } ?? "" : ""
    return SoundFinding(
      .inUse, isCall ? .warning : .ok, parts.joined(separator: ", ") + why,
      isCall ? adviceOnCondition : nil)
  }

  private func isSBC(_ codec: String, _ stream: MediaCapabilities) -> Bool {
    codecFamily(codec) == "sbc_xq" && stream.codec == "sbc"
  }

  private var adviceOnCondition: Fix? {
    name.flatMap { condition?.advice(for: $0) }.map(Fix.advice)
  }

  private var used: String? { use?.codec.map(codecFamily) }

  /// Why no better codec is in use, a line for each reason; a single line if there is none.
  private var better: [SoundFinding] {
    guard let name, let use else {
      return [
        SoundFinding(
          .better, .unknown, "only a sound that is connected can be compared",
          "earshot audio lists the headphones whose sound is connected")
      ]
    }
    if use.profile == .handsFree {
      return [
        SoundFinding(
          .better, .warning, "the microphone is open: no codec for music is used meanwhile",
          adviceOnCondition ?? "earshot audio profile music")
      ]
    }
    let reasons = unusedOffers(of: name) + settingReasons(of: name) + leAudioReason
    guard reasons.isEmpty else { return reasons }
    guard let offered, let codecs = computerCodecs else {
      return [
        SoundFinding(
          .better, .unknown, "what both sides have is not known",
          "earshot audio profile lists what the sound server offers")
      ]
    }
    let both = offered.map(\.codec).filter(codecs.contains)
    if both.allSatisfy({ $0 == "sbc" }), used == "sbc", let mode = mode(of: "sbc_xq") {
      return [
        SoundFinding(
          .better, .ok, "both sides have SBC alone; SBC-XQ is SBC with more data",
          choosing(mode, of: name))
      ]
    }
    return [
      SoundFinding(
        .better, .ok, "\(codecText(use.codec ?? "it")) is the best that both sides have")
    ]
  }

  /// The codecs that the headphone offers, that PipeWire would prefer to the one in use.
  private func unusedOffers(of name: String) -> [SoundFinding] {
    let place = used.map { rank($0 == "sbc_xq" ? "sbc" : $0) } ?? 0
    // LC3 belongs to LE Audio, which is another profile.
    let better = (offered ?? []).map(\.codec).filter { $0 != "lc3" && rank($0) < place }
    return better.compactMap { codec -> SoundFinding? in
      let title = codecText(codec)
      if computerCodecs?.contains(codec) == false {
        return SoundFinding(
          .better, .warning, "the headphone offers \(title), which \(serverName) here lacks",
          plugIn(for: codec))
      }
      guard computerCodecs != nil else { return nil }
      if let mode = mode(of: codec) {
        return SoundFinding(
          .better, .warning, "both sides have \(title), which is not in use",
          choosing(mode, of: name))
      }
      return SoundFinding(
        .better, .warning, "both sides have \(title), but the sound server does not offer it now",
        .commands([
          FixCommand(["earshot", "audio", "disconnect", name]),
          FixCommand(["earshot", "audio", "connect", name]),
        ]))
    }
  }

  /// Settings of the headphone that keep it from offering a codec with more data.
  private func settingReasons(of name: String) -> [SoundFinding] {
    let isBest = used == "ldac" || used?.hasPrefix("lhdc") == true || use?.profile == .leAudio
    guard !isBest else { return [] }
    var reasons: [SoundFinding] = []
    if case .choice(let value)? = settings[Self.priority], value != "quality",
      choices[Self.priority]?.contains("quality") == true
    {
      reasons.append(
        SoundFinding(
          .better, .warning,
          "the headphone is set to prefer \(value.replacing("-", with: " ")) to quality, and leaves codecs out",
          setting(Self.priority, to: "quality", of: name)))
    }
    switch settings[Self.ldac] {
    case .toggle(false)?:
      reasons.append(
        SoundFinding(
          .better, .warning, "LDAC is off in the headphone", setting(Self.ldac, to: "on", of: name))
      )
    case .choice("off")?:
      if let best = choices[Self.ldac]?.last, best != "off" {
        reasons.append(
          SoundFinding(
            .better, .warning, "LDAC is off in the headphone",
            setting(Self.ldac, to: best, of: name)))
      }
    default: break
    }
    if let connections, connections > 1,
      offered?.contains(where: { rank($0.codec) < rank("aac") }) != true
    {
      reasons.append(
        SoundFinding(
          .better, .warning,
          "it is connected with \(connections) devices; it may offer more with this one alone",
          settings[.multipoint] == .toggle(true)
            ? .command("earshot", "multipoint", "off", "--device", name)
            : .command("earshot", "multipoint", "--device", name)))
    }
    return reasons
  }

  private var leAudioReason: [SoundFinding] {
    guard offered?.contains(where: { $0.codec == "lc3" }) == true, use?.profile != .leAudio else {
      return []
    }
    return [
      SoundFinding(
        .better, .ok, "the headphone also has LE Audio (LC3)",
        .command("earshot", "doctor", "--le-audio"))
    ]
  }

  private func setting(_ id: SettingID, to value: String, of name: String) -> Fix {
    .command("earshot", "setting", id.rawValue, value, "--device", name)
  }

  private func choosing(_ mode: SoundMode, of name: String) -> Fix {
    .command("earshot", "audio", "profile", mode.name, "--device", name)
  }

  /// Returns the card's mode for music with a codec; of several, the server's first.
  private func mode(of codec: String) -> SoundMode? {
    card?.modes.first {
      $0.profile.kind == .a2dp && $0.codecName.map(codecFamily) == codec && !$0.isActive
    }
  }

  private func plugIn(for codec: String) -> Fix {
    guard case .running(let sound) = audio, sound.isPipeWire else {
      return
        "PipeWire has more codecs; PulseAudio uses GStreamer's (Debian: gstreamer1.0-plugins-bad)"
    }
    if codec == "aac" {
      return
        "PipeWire's plug-in for AAC (libspa-codec-bluez5-aac.so), which Debian leaves out for its licence"
    }
    return ["ldac", "aptx", "aptx_hd", "lc3plus_hr"].contains(codec)
      ? "PipeWire's Bluetooth plug-ins (Debian: libspa-0.2-bluetooth), then systemctl --user restart pipewire wireplumber"
      : "nothing to install is known; the other codecs work"
  }
}

extension MediaCapabilities {
  /// The codec with what sets it apart: "SBC (bitpool up to 53)".
  fileprivate var offerText: String {
    var parts: [String] = []
    if let rate = rates.max(), rate > 48_000 { parts.append("up to \(rateText(rate))") }
    if let bitpool { parts.append("bitpool up to \(bitpool.upperBound)") }
    return codecText(codec) + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
  }

  /// The parameters of a configuration: "44.1 kHz", "bitpool up to 53", "up to 328 kbit/s".
  fileprivate var streamTexts: [String] {
    [
      rates.count == 1 ? rates.first.map(rateText) : nil,
      bitpool.map { "bitpool up to \($0.upperBound)" }, bitRate.map { "up to \($0) kbit/s" },
    ].compactMap(\.self)
  }

  private func rateText(_ rate: Int) -> String {
    rate % 1000 == 0 ? "\(rate / 1000) kHz" : "\(rate / 1000).\(rate % 1000 / 100) kHz"
  }
}

extension State {
  /// Returns the facts for a headphone, or for a sound device that is no known headphone.
  ///
  /// - Parameter selector: The beginning of a sound device's name or address, if `headphone` is nil;
  ///   nil for the device that plays, else the first.
  package func soundQualityFacts(
    of headphone: HeadphoneState?, or selector: String?, _ survey: SoundSurvey
  ) -> SoundQualityFacts {
    guard let headphone else { return soundQualityFacts(ofDevice: selector, survey) }
    let match = audioMatch(for: headphone)
    var facts = SoundQualityFacts(
      audio: audio, name: headphone.name, card: match?.card, use: SoundUse(match),
      condition: soundCondition(of: headphone), survey: survey,
      address: (match?.card?.address ?? match?.sink?.bluetooth?.address ?? headphone.soundAddress)?
        .uppercased())
    for id in SoundQualityFacts.relevantSettings {
      facts.settings[id] = headphone.setting(id).confirmed
      if case .choice(let choices)? = headphone.capabilities?.declaration(of: id)?.kind {
        facts.choices[id] = choices.map(\.id)
      }
    }
    let devices = pairedDevices(of: headphone)
    facts.connections = devices.isEmpty ? nil : devices.count(where: \.isConnected)
    return facts
  }

  private func soundQualityFacts(
    ofDevice selector: String?, _ survey: SoundSurvey
  ) -> SoundQualityFacts {
    guard case .running(let sound) = audio else {
      return SoundQualityFacts(audio: audio, survey: survey)
    }
    let devices = sound.conditions.map(\.device).filter { device in
      selector.map(device.matches) ?? true
    }
    guard let device = devices.first(where: { $0.sink?.name == sound.defaultSink }) ?? devices.first
    else { return SoundQualityFacts(audio: audio, survey: survey) }
    let match = AudioMatch(sink: device.sink, card: device.card, rule: .pinned)
    return SoundQualityFacts(
      audio: audio, name: device.description, card: device.card, use: SoundUse(match),
      condition: sound.conditions.first { $0.device.id == device.id }?.condition, survey: survey,
      address: device.id.text)
  }
}
