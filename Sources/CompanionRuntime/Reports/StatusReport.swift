internal import AudioRoute
internal import BluetoothCodec
internal import BluetoothRadio
package import Companion
internal import HeadphoneProtocols
package import JSON

/// The report of `earshot status`: the state of one headphone and of the audio route.
///
/// Pending values are reported as unknown, so that scripts never read an unconfirmed value.
package struct StatusReport: ObjectReport, Hashable {
  let headphone: HeadphoneState
  private let route: RouteState
  private let audio: AudioObservation
  /// Where the sound goes, if not to the headphone.
  private let output: AudioSink?
  private let link: AudioLink?
  private let microphone: Microphone?
  private let programs: [String]
  private let correction: CorrectionReport
  private let rules: SoundRules
  /// What the headphone does with broadcasts, or nil if it supports none or has no link.
  private let reception: ReceptionReport?
  /// The age of the charge in words, or nil if it is current.
  private let chargeAge: String?

  /// Creates the report; `state` has the audio route and the kernel's links.
  ///
  /// - Parameter timestamp: The current time, for the age of an old charge, or nil to omit it.
  package init(_ headphone: HeadphoneState, in state: State, at timestamp: Timestamp? = nil) {
    self.headphone = headphone
    chargeAge = timestamp.flatMap(headphone.chargeAge)
    route = state.route(of: headphone)
    audio = state.audio
    output = state.output
    link = state.audioLink(of: headphone)
    microphone = state.microphones(of: headphone).first(where: \.isDefault)
    programs = state.programsRecording(from: headphone)
    correction = CorrectionReport(headphone, in: state)
    rules = state.soundRules
    reception = headphone.receptions.isEmpty ? nil : ReceptionReport(headphone, in: state)
  }

  package static let schemaName = SchemaName(
    "status", "`earshot status --json`, and each line of `earshot watch`")

  package static let properties: [Property<Self>] = [
    Property("device", group: device),
    Property("control", group: control),
    Property("audio", group: sound),
    Property("battery", { BatteryLevels($0.headphone) }),
    Property("anc", { $0.headphone.name(of: .noiseMode) }, ANCReport.meaning),
    Property("eq") { Equaliser($0.headphone) },
    Property(
      "wearing",
      group: [
        Property("left", \.headphone.wearing?.left), Property("right", \.headphone.wearing?.right),
      ]),
    Property("caseOpen", \.headphone.isCaseOpen),
    Property("firmwareUpdate", \.headphone.firmwareProgress, in: .percent, "%, while one runs"),
    Property(
      "volume", \.headphone.volume.confirmed, "the headphone's own",
      group: [
        Property("level", \.level, in: .percent, "%"), Property("muted", \.isMuted),
      ]),
    Property(
      "missing", \.headphone.missing,
      "values that it cannot report in a known way, and the service that each would be in"),
    Property(
      "broadcast", \.reception,
      "what the headphone, or each bud, does with broadcasts; null: it cannot be sent to one, or has "
        + "no link",
      group: ReceptionReport.properties),
    Property("correction", \.correction.correction),
    Property(
      "set", \.set,
      "the coordinated set of buds with a link each; null: there is none, or it is not known yet"),
    Property(
      "settings", \.headphone.confirmedSettings,
      "the confirmed value of each setting that the headphone declares; null: unknown"),
  ]

  private static let device: [Property<Self>] = [
    Property("id", \.headphone.id.rawValue),
    Property("name", \.headphone.name),
    Property("address", \.headphone.address.address),
    Property("addressType", \.headphone.address.kind),
    Property("model", \.headphone.information.model),
    Property("firmware", \.headphone.information.firmware),
    Property("serial", \.headphone.information.serial),
    Property("rssi", \.headphone.rssi, "dBm"),
  ]

  private static let control: [Property<Self>] = [
    Property("state", \.headphone.link.name, "see [protocol.md](protocol.md) section 8"),
    Property(
      "reason", \.headphone.link.reason,
      "why the link is down: \(reasons), or in words; or what is missing"),
    Property("mtu", \.headphone.mtu, "ATT_MTU"),
    Property("encrypted", \.headphone.isEncrypted),
    Property(
      "bonded", \.headphone.isBonded,
      "whether Earshot keeps its keys; null: bluetoothd keeps them, or nothing is known"),
    Property(
      "timing", \.headphone.quality.timing,
      "null: the link is one of BR/EDR, or the kernel does not report it (`CAP_NET_RAW`)",
      group: [
        Property(
          "interval", { $0.intervalDuration / .milliseconds(1) },
          "ms between two connection events"),
        Property("latency", \.latency, "how many of them the headphone may skip"),
        Property(
          "timeout", { Int($0.supervisionTimeoutDuration / .milliseconds(1)) },
          "ms until a silent link is lost"),
      ]),
    Property(
      "phy", \.headphone.quality.phyNames,
      "null: as of `timing`, or the adapter does not report it",
      group: [
        Property("transmit", \.transmit, among: phys), Property("receive", \.receive, among: phys),
      ]),
    Property(
      "holder", \.headphone.quality.holder,
      "`bluetoothd`: it has the link, for example because the desktop connected the headphone, and "
        + "Earshot's requests go through it, without `rssi`, `timing` and `phy`; null: Earshot's own "
        + "link, or none"),
  ]

  private static let reasons = DisconnectReason.Name.allCases.map { "`\($0)`" }
    .joined(separator: ", ")
  private static let phys = [PHY.le1M, .le2M, .leCoded].compactMap(\.name)

  /// The audio route; if the headphone has no device, the current output.
  private static let sound: [Property<Self>] = [
    Property(
      "state", \.route.name,
      "`connected`: the sound goes here; `notRouted`: the audio link is up, the sound goes "
        + "elsewhere; `none`: there is no audio link"),
    Property("server", \.server, "its name and version"),
    Property("sink", \.sink?.name, "the headphone's, else where the sound goes"),
    Property(
      "profile", \.sink?.bluetooth?.profile?.name,
      "`a2dp`, `hfp`, `le-audio`, or the sound server's own name"),
    Property("codec", \.sink?.bluetooth?.codec),
    Property("volume", \.sink?.volume, "%, of `sink`"),
    Property(
      "match", \.route.match, "which sound device the headphone is; null: none",
      group: [
        Property("device", { $0.sink?.description ?? $0.card?.description ?? "" }),
        Property("rule", \.rule, "by which it was found"),
        Property("certain", \.isCertain, "false: the rule can be wrong"),
      ]),
    Property(
      "link", \.link,
      "the kernel's state of the link that carries the sound; `call`: with a voice link; null: not "
        + "reported"),
    Property("microphone", \.openMicrophone, "the default one; null: none, or not known"),
    Property(
      "offset", \.route.match?.card?.output?.offset,
      "ms that players add to the latency, as the sound server has it; null: no output"),
    Property(
      "latency", \.route.sink?.latency,
      "ms, of the sound server and with the offset; null: nothing plays"),
    Property(
      "settings", \.soundSettings, "those of `earshot audio setting` in effect; null: none"),
  ]

  private var server: String? {
    guard case .running(let sound) = audio else { return nil }
    return "\(sound.serverName) \(sound.serverVersion)"
  }

  private var sink: AudioSink? { route.sink ?? output }

  private var soundSettings: JSONMap<SoundValue?> {
    JSONMap(SoundSetting.allCases.map { ($0.name, rules.value(of: $0, for: headphone)) })
  }

  private var openMicrophone: OpenMicrophone? {
    microphone.map { OpenMicrophone(microphone: $0, programs: programs) }
  }

  private struct OpenMicrophone: JSONObject {
    let microphone: Microphone
    let programs: [String]

    static let properties: [Property<Self>] = [
      Property("id", \.microphone.source.name),
      Property("name", \.microphone.source.description),
      Property("own", \.microphone.isOwn, "it is this headphone's"),
      Property(
        "openedBy", \.programs,
        "programs that have this headphone's own open, which costs the music its quality"),
    ]
  }

  private var set: SetStatus? {
    headphone.setSize > 1 ? SetStatus(headphone: headphone) : nil
  }

  private struct SetStatus: NamedJSONObject {
    let headphone: HeadphoneState

    static let schemaName = SchemaName(
      "set", "The coordinated set of buds with a link each.")

    static let properties: [Property<Self>] = [
      Property(
        "size", \.headphone.setSize, in: JSONSchema.Limits(2...255), "how many members it has"),
      Property(
        "members", \.members,
        "those that had a link since the headphone was ready, its own first"),
    ]

    private var members: [MemberStatus] {
      headphone.members.map { MemberStatus(member: $0, battery: headphone.battery(of: $0)) }
    }
  }

  private struct MemberStatus: JSONObject {
    let member: SetMember
    let battery: Battery?

    static let properties: [Property<Self>] = [
      Property("side", \.member.side, "null: it does not report which bud it is"),
      Property("address", \.member.address.address),
      Property("addressType", \.member.address.kind),
      Property("linked", \.member.isLinked),
      Property("battery", \.battery?.level, in: .percent, "%; null: unknown, or not connected"),
      Property("charging", \.battery?.isCharging, "null: unknown, or not connected"),
    ]
  }

  package var text: String { table(rows) }

  package func text(_ style: TextStyle) -> String { style.table(rows) }

  private var rows: [(String, String)] {
    let information = headphone.information
    var rows = [
      ("Headphone", "\(displayable(headphone.name)) (\(headphone.address.address.description))"),
      ("Control link", headphone.linkTextWithHolder),
      ("Audio route", route.displayText),
    ]
    if let link { rows.append(("Audio link", link.rawValue)) }
    if let words = reception?.sentence { rows.append(("Broadcast", displayable(words))) }
    if let words = correction.correction.summary { rows.append(("Correction", words)) }
    if !programs.isEmpty {
      rows.append(("Microphone", displayable("opened by " + programs.joined(separator: ", "))))
    }
    if let percent = headphone.onlyCharge {
      rows.append(("Battery", overallChargeText(percent)))
    } else if let battery = headphone.battery?.value {
      let text = battery.displayText(isOnlyOne: headphone.hasOneBattery)
      rows.append(("Battery", chargeAge.map { "\(text) · \($0)" } ?? text))
    }
    rows += headphone.setLines.map { ($0.label, $0.value ?? "--") }
    if let mode = headphone.words(of: .noiseMode) { rows.append(("Noise control", mode)) }
    let declaresEQ = headphone.capabilities?.declares(.equaliserPreset) == true
    if let preset = headphone.words(of: .equaliserPreset), !declaresEQ {
      rows.append(("Equaliser", preset))
    }
    if let bands = headphone.gainsInForce { rows.append(("Bands", bands.displayText)) }
    for declaration in headphone.capabilities?.shownSettings ?? [] {
      guard let value = headphone.words(of: declaration.id) else { continue }
      rows.append((declaration.title, value))
    }
    if let volume = headphone.volume.confirmed { rows.append(("Own volume", volume.displayText)) }
    if let wearing = headphone.wearing { rows.append(("Wearing", wearing.displayText)) }
    if let isOpen = headphone.isCaseOpen { rows.append(("Case", isOpen ? "open" : "closed")) }
    if let model = information.model { rows.append(("Model", displayable(model))) }
    if let firmware = information.firmware { rows.append(("Firmware", displayable(firmware))) }
    if let rssi = headphone.rssi { rows.append(("Signal", "\(rssi) dBm")) }
    return rows
  }
}

extension LinkState {
  fileprivate var reason: String? {
    switch self {
    case .unwanted(.disconnected(let reason)): reason.name.rawValue
    case .reconnecting(let retry): retry.after.name.rawValue
    case .unwanted(.failed(let reason)): reason.displayText
    case .unwanted(.permissionDenied(let capability)),
      .pending(.waitingForBluetooth(.permission(let capability)), _):
      capability
    case .unwanted(.unsupported(let missing)): missing
    default: nil
    }
  }
}

extension RouteState {
  /// "playing here, music (A2DP), SBC, 40%", or where the sound goes.
  fileprivate var displayText: String {
    switch self {
    case .connected(let sink, _):
      [
        "playing here", sink.bluetooth?.profile?.displayText,
        sink.bluetooth?.codec.map(codecText), "\(sink.volume)%",
      ].compactMap(\.self).joined(separator: ", ")
    case .notRouted(_, let elsewhere), .none(let elsewhere):
      "sound goes to \(elsewhere.map { displayable($0.description) } ?? "nowhere")"
    case .unknown(let reason): "unknown (\(reason.displayText))"
    }
  }
}

extension HeadphoneState {
  /// The confirmed value of each setting by its name; nil if unknown.
  fileprivate var confirmedSettings: JSONMap<SettingValue?> {
    JSONMap(
      (capabilities?.declarations ?? []).map { ($0.id.rawValue, setting($0.id).confirmed) })
  }
}

extension AudioProfile {
  var name: String {
    switch self {
    case .a2dp: "a2dp"
    case .handsFree: "hfp"
    case .leAudio: "le-audio"
    case .other(let name): name
    }
  }
}

extension [BandGain] {
  var displayText: String {
    map { gain in
      let number = gain.halfDecibels % 2 == 0 ? "\(gain.halfDecibels / 2)" : "\(gain.decibels)"
      return gain.halfDecibels > 0 ? "+\(number)" : number
    }.joined(separator: ", ") + " dB"
  }
}
