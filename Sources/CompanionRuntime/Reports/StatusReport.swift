internal import AudioRoute
internal import Bluetooth
internal import BluetoothCodec
public import Companion
internal import HeadphoneProtocols
public import JSON

/// The state of one headphone and of the audio route: `earshot status`.
///
/// JSON of schema 1; only confirmed values, and null for what is unknown:
///
/// | member | content |
/// | --- | --- |
/// | `device` | `id`, `name`, `address`, `addressType`, `model`, `firmware`, `serial`, `rssi` |
/// | `control` | `state`, `reason`, `mtu`, `encrypted`, `bonded`, `timing` (ms), `phy`, `holder` |
/// | `audio` | `state`, `server`, `sink`, `profile`, `codec`, `volume` (%), `match`, `link`, `settings`, `offset`, `latency` (ms) |
/// | `battery` | `left`, `right`, `case` (%), `charging`, `overall` (%, where no part is known) |
/// | `microphone` | `id`, `name`, `own`, `openedBy` (programs) |
/// | `anc`, `eq` | the mode's name; `preset` and `bands` (dB) |
/// | `wearing`, `caseOpen` | `left` and `right`; true: the lid is open |
/// | `firmwareUpdate` | %, while an update runs |
/// | `volume` | the headphone's own: `level` (%), `muted` |
/// | `broadcast` | null, or as `earshot broadcast` reports: `listening` and `sources` |
/// | `correction` | `on`, `state`, `reason`, `name`, `measuredBy`, `file`, `strength`, `bass`, `place`, `losses` |
/// | `missing` | features that cannot be read, as sentences |
/// | `set` | null, or `size` and `members` of a coordinated set |
/// | `settings` | declared settings by name |
///
/// ```json
/// {"schema": 1, "device": {"name": "Aurora Pro", "rssi": -58},
///  "control": {"state": "ready", "mtu": 247},
///  "battery": {"left": 80, "right": 75, "case": 50}, "anc": "noise-cancelling"}
/// ```
///
/// (shortened; docs/json.md has every member.)
public struct StatusReport: Report, Hashable {
  private let headphone: HeadphoneState
  private let route: RouteState
  private let audio: AudioObservation
  /// Where the sound goes, if not to the headphone.
  private let output: AudioSink?
  /// The headphone's audio link by the kernel; nil: none is known.
  private let link: AudioLink?
  private let microphone: Microphone?
  private let programs: [String]
  private let correction: CorrectionReport
  private let rules: SoundRules
  /// Nil: it cannot be sent to a broadcast, or has no link.
  private let reception: ReceptionReport?

  /// Creates the report.
  ///
  /// - Parameters:
  ///   - headphone: whose state it is.
  ///   - state: has the audio route and the kernel's links.
  public init(_ headphone: HeadphoneState, in state: State) {
    self.headphone = headphone
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

  /// Members are always there; values that are pending are left out, so that a script never reads
  /// what the headphone has not confirmed.
  public var json: JSON {
    [
      "schema": 1, "device": device, "control": control, "audio": sound,
      "battery": (headphone.battery?.value ?? [:]).json(overall: headphone.onlyCharge),
      "anc": JSON(headphone.anc.confirmed?.name),
      "eq": [
        "preset": JSON(headphone.eq.confirmed?.name),
        "bands": JSON(headphone.gainsInForce) { .array($0.map { .number($0.decibels) }) },
      ],
      "wearing": [
        "left": JSON(headphone.wearing?.left), "right": JSON(headphone.wearing?.right),
      ],
      "caseOpen": JSON(headphone.isCaseOpen),
      "firmwareUpdate": JSON(headphone.firmwareProgress),
      "volume": JSON(headphone.volume.confirmed) {
        ["level": JSON($0.level), "muted": .bool($0.isMuted)]
      },
      "missing": .array(headphone.missing.map { .string($0) }),
      "broadcast": reception?.reception ?? .null, "correction": correction.correction,
      "set": headphone.setSize > 1 ? set : .null, "settings": headphone.settingsJSON,
    ]
  }

  /// The members of a coordinated set, the headphone's own address first.
  private var set: JSON {
    let members = headphone.members.map { member -> JSON in
      let battery = headphone.battery(of: member)
      return [
        "side": JSON(member.side?.name), "address": .string(member.address.address.description),
        "addressType": .string(member.address.kind.name), "linked": .bool(member.isLinked),
        "battery": JSON(battery?.level), "charging": JSON(battery?.isCharging),
      ]
    }
    return ["size": JSON(headphone.setSize), "members": .array(members)]
  }

  /// The headphone, its address in this run, and what it says of itself.
  private var device: JSON {
    [
      "id": .string(headphone.id.rawValue), "name": .string(headphone.name),
      "address": .string(headphone.address.address.description),
      "addressType": .string(headphone.address.kind.name),
      "model": JSON(headphone.information.model), "firmware": JSON(headphone.information.firmware),
      "serial": JSON(headphone.information.serial), "rssi": JSON(headphone.rssi),
    ]
  }

  /// The control link; `reason` explains states such as `disconnected`.
  private var control: JSON {
    [
      "state": .string(headphone.link.name), "reason": JSON(headphone.link.reason),
      "mtu": JSON(headphone.mtu), "encrypted": JSON(headphone.isEncrypted),
      "bonded": JSON(headphone.isBonded), "timing": JSON(headphone.quality.timing) { $0.json },
      "phy": JSON(headphone.quality.phyNames) {
        ["transmit": .string($0), "receive": .string($1)]
      },
      "holder": JSON(headphone.quality.holder),
    ]
  }

  /// The audio route; without a device of the headphone's own, the output that sound goes to.
  private var sound: JSON {
    var server: String?
    if case .running(let sound) = audio { server = "\(sound.serverName) \(sound.serverVersion)" }
    let sink = route.sink ?? output
    return [
      "state": .string(route.name), "server": JSON(server), "sink": JSON(sink?.name),
      "profile": JSON(sink?.bluetooth?.profile?.name), "codec": JSON(sink?.bluetooth?.codec),
      "volume": JSON(sink?.volume), "match": JSON(route.match) { $0.json },
      "link": JSON(link?.name),
      "microphone": JSON(microphone) {
        [
          "id": .string($0.source.name), "name": .string($0.source.description),
          "own": .bool($0.isOwn), "openedBy": .array(programs.map { .string($0) }),
        ]
      },
      "offset": JSON(route.match?.card?.output?.offset), "latency": JSON(route.sink?.latency),
      "settings": .object(
        SoundSetting.allCases.map { setting in
          JSON.Member(setting.name, JSON(rules.value(of: setting, for: headphone)) { $0.json })
        }),
    ]
  }

  public var text: String { table(rows) }

  public func text(_ style: TextStyle) -> String { style.table(rows) }

  private var rows: [(String, String)] {
    let information = headphone.information
    var rows = [
      ("Headphone", "\(displayable(headphone.name)) (\(headphone.address.address.description))"),
      ("Control link", headphone.linkTextWithHolder),
      ("Audio route", route.displayText),
    ]
    if let link { rows.append(("Audio link", link.name)) }
    if let words = reception?.sentence { rows.append(("Broadcast", displayable(words))) }
    if let words = correction.summary { rows.append(("Correction", words)) }
    if !programs.isEmpty {
      rows.append(("Microphone", displayable("opened by " + programs.joined(separator: ", "))))
    }
    if let percent = headphone.onlyCharge {
      rows.append(("Battery", overallChargeText(percent)))
    } else if let battery = headphone.battery?.value {
      rows.append(("Battery", battery.displayText(isOnlyOne: headphone.hasOneBattery)))
    }
    rows += headphone.setLines.map { ($0.label, $0.value ?? "--") }
    if let mode = headphone.anc.confirmed { rows.append(("Noise control", mode.title)) }
    let declaresEQ = headphone.capabilities?.declares(.equaliserPreset) == true
    if let preset = headphone.eq.confirmed, !declaresEQ { rows.append(("Equaliser", preset.title)) }
    if let bands = headphone.gainsInForce { rows.append(("Bands", bands.displayText)) }
    for declaration in headphone.capabilities?.shownSettings ?? [] {
      guard let value = headphone.setting(declaration.id).confirmed else { continue }
      rows.append((declaration.title, displayable(declaration.displayText(for: value))))
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

extension LEConnectionTiming {
  /// Intervals and time-outs in ms.
  fileprivate var json: JSON {
    [
      "interval": .number(intervalDuration / .milliseconds(1)), "latency": JSON(Int(latency)),
      "timeout": JSON(Int(supervisionTimeoutDuration / .milliseconds(1))),
    ]
  }
}

extension LinkState {
  /// The reason of the state; nil: it needs none.
  fileprivate var reason: String? {
    switch self {
    case .unwanted(.disconnected(let reason)): reason.name
    case .reconnecting(let retry): retry.after.name
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

extension AudioMatch {
  /// The device's name, the rule by which it was found, and whether that rule can be wrong.
  fileprivate var json: JSON {
    [
      "device": .string(sink?.description ?? card?.description ?? ""),
      "rule": .string(rule.rawValue), "certain": .bool(isCertain),
    ]
  }
}

extension AudioProfile {
  /// The profile's name in JSON.
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
  /// "+3, -0.5, 0 dB".
  var displayText: String {
    map { gain in
      let number = gain.halfDecibels % 2 == 0 ? "\(gain.halfDecibels / 2)" : "\(gain.decibels)"
      return gain.halfDecibels > 0 ? "+\(number)" : number
    }.joined(separator: ", ") + " dB"
  }
}
