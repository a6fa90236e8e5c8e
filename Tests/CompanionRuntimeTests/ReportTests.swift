import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import HeadphoneProtocols
import JSON
import Testing
import VirtualHeadphones

@Suite struct ReportTests {
  /// The correction report of a headphone without a chosen correction.
  private static let noCorrection =
    #"{"on":false,"state":"off","reason":null,"name":null,"measuredBy":null,"file":null,"#
    + #""strength":100,"bass":0.0,"place":"auto","losses":[]}"#

  @Test func `an unknown headphone's status has every key, and null for what is unknown`() throws {
    let (headphone, state) = try state(after: [.audio(.unavailable(.noServer))])
    let expected = [
      #"{"schema":1,"device":{"id":"f0f1f2f3f4f5","name":"Ear \u001b[31m","#,
      #""address":"F0:F1:F2:F3:F4:F5","addressType":"random","model":null,"firmware":null,"#,
      #""serial":null,"rssi":-50},"control":{"state":"connecting","reason":null,"mtu":null,"#,
      #""encrypted":null,"bonded":null,"timing":null,"phy":null,"holder":null},"#,
      #""audio":{"state":"unknown","server":null,"sink":null,"#,
      #""profile":null,"codec":null,"volume":null,"match":null,"link":null,"microphone":null,"offset":null,"latency":null,"settings":{"sound":"leave","volume-ceiling":null,"first-volume":50,"offset":null,"profile":"keep","buttons":"auto"}},"battery":{"left":null,"right":null,"#,
      #""case":null,"charging":[],"overall":null},"anc":null,"eq":{"preset":null,"bands":null},"#,
      #""wearing":{"left":null,"right":null},"caseOpen":null,"firmwareUpdate":null,"volume":null,"missing":[],"broadcast":null,"correction":"#,
      Self.noCorrection, #","set":null,"settings":{}}"#,
    ].joined()
    #expect("\(StatusReport(headphone, in: state).json)" == expected)
  }

  @Test func `a ready headphone's status is whole`() throws {
    let (headphone, state) = try state(after: known)
    let expected = [
      #"{"schema":1,"device":{"id":"f0f1f2f3f4f5","name":"Ear \u001b[31m","#,
      #""address":"F0:F1:F2:F3:F4:F5","addressType":"random","model":"E1","firmware":"1.2","#,
      #""serial":"7","rssi":-50},"control":{"state":"ready","reason":null,"mtu":185,"#,
      #""encrypted":true,"bonded":null,"timing":null,"phy":null,"holder":null},"audio":{"state":"connected","#,
      #""server":"pulseaudio 17","sink":"bluez_output.1","profile":"a2dp","codec":"sbc","#,
      #""volume":60,"match":{"device":"Ear","rule":"public-address","certain":true},"link":null,"microphone":null,"offset":null,"latency":null,"settings":{"sound":"leave","volume-ceiling":null,"first-volume":50,"offset":null,"profile":"keep","buttons":"auto"}},"battery":{"left":80,"right":75,"case":50,"charging":["case"],"overall":null},"#,
      #""anc":"noise-cancelling","eq":{"preset":"custom","bands":[1.5,-0.5]},"#,
      #""wearing":{"left":true,"right":false},"caseOpen":true,"firmwareUpdate":null,"volume":null,"missing":[],"broadcast":null,"correction":"#,
      Self.noCorrection, #","set":null,"settings":{}}"#,
    ].joined()
    #expect("\(StatusReport(headphone, in: state).json)" == expected)
  }

  @Test func `a choice that has no name here is its number`() throws {
    let (headphone, state) = try state(
      after: known
        + [SettingID.noiseMode, .equaliserPreset].map {
          .headphone(HeadphoneID(rawValue: "f0f1f2f3f4f5"), .settingChanged($0, .choice("7")))
        })
    let status = StatusReport(headphone, in: state)
    #expect(status.json["anc"] == "7" && status.json["eq"]?["preset"] == "7")
    for line in [/Noise control +mode 7/, /Equaliser +7/] {
      #expect(status.text.contains(line), "\(status.text)")
    }
    #expect(ANCReport(headphone).text == "7" && ANCReport(headphone).json["anc"] == "7")
    #expect(EQReport(headphone).json["eq"]?["preset"] == "7")
  }

  @Test func `one figure for all parts is the battery where no other is known`() throws {
    let address = BluetoothAddress(value: 0xF0F1_F2F3_F4F5)
    let (headphone, state) = try state(after: [.deviceNews(.charge(address, 33))])
    let report = BatteryLevelsReport(headphone)
    #expect(report.text == "33% (one figure for all parts)")
    #expect(report.json["battery"]?["overall"] == 33)
    #expect(StatusReport(headphone, in: state).text.contains("33% (one figure for all parts)"))
  }

  @Test func `the microphone is reported with the programs that have it open`() throws {
    let card = AudioCard(
      name: "card", description: "Ear", address: "00:00:00:00:00:01",
      activeProfile: "headset-head-unit", profiles: [])
    let sound = AudioSnapshot(
      serverName: "pulseaudio", serverVersion: "17", defaultSink: nil, sinks: [], cards: [card],
      defaultSource: "bluez_input.1",
      sources: [
        AudioSource(
          name: "bluez_input.1", description: "Ear", isBluetooth: true, card: "card",
          programs: ["Caller \u{1B}[31m"])
      ])
    let (headphone, state) = try state(after: [.audio(.running(sound))])
    let report = StatusReport(headphone, in: state)
    #expect(
      report.json["audio"]?["microphone"] == [
        "id": "bluez_input.1", "name": "Ear", "own": true, "openedBy": ["Caller \u{1B}[31m"],
      ])
    #expect(report.text.contains("opened by Caller"))
    #expect(!report.text.contains("\u{1B}"))
  }

  @Test func `the buds of a set are reported each: which, where, its link, its charge`() throws {
    var description = HeadphoneDescription(
      driver: "", capabilities: Capabilities(), information: DeviceInformation(), mtu: 185,
      requests: 1)
    description.set = SetKey(Array(0...15)[...]).map {
      CoordinatedSet(key: $0, size: 2, side: .left)
    }
    let address = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F6), .random)
    func buds(_ isLinked: Bool) throws -> StatusReport {
      let (headphone, state) = try state(after: [
        .link(ear, .connected), .link(ear, .ready(description, isEncrypted: true)),
        .headphone(ear, .batteryChanged([.left: Battery(level: 83, isCharging: false)])),
        .link(ear, .member(SetMember(address, .right, isLinked: true))),
        .headphone(ear, .batteryChanged([.right: Battery(level: 78)])),
        .link(ear, .member(SetMember(address, .right, isLinked: isLinked))),
      ])
      return StatusReport(headphone, in: state)
    }
    let left: JSON = [
      "side": "left", "address": "F0:F1:F2:F3:F4:F5", "addressType": "random", "linked": true,
      "battery": 83, "charging": false,
    ]
    func right(_ isLinked: Bool, _ battery: JSON) -> JSON {
      [
        "side": "right", "address": "F0:F1:F2:F3:F4:F6", "addressType": "random",
        "linked": .bool(isLinked), "battery": battery, "charging": .null,
      ]
    }
    #expect(try buds(true).json["set"] == ["size": 2, "members": [left, right(true, 78)]])
    #expect(try buds(false).json["set"] == ["size": 2, "members": [left, right(false, .null)]])
    #expect(try buds(true).text.contains("F0:F1:F2:F3:F4:F6, linked, 78%"))
    #expect(try buds(false).text.contains("F0:F1:F2:F3:F4:F6, away\n"))
  }

  @Test func `what each bud does with a broadcast is reported, and null without a link`() throws {
    let address = PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5A01), .random)
    let source = BroadcastSource(address, set: 5, BroadcastID(rawValue: 0xA17001))
    func reception(_ side: Side, _ streams: UInt32) -> Action {
      let metadata = AudioMetadata(0x0B, Array("Gate B12".utf8)).encoded()
      let state = ReceiveState(
        1, source, .on, .none, [BroadcastSubgroup(streams, metadata)])
      return .headphone(ear, .receptionChanged(BroadcastReception(side, [state])))
    }
    let (headphone, state) = try state(after: known + [reception(.left, 1), reception(.right, 0)])
    let report = StatusReport(headphone, in: state)
    func bud(_ side: String, _ words: String, _ isListening: Bool) -> JSON {
      [
        "id": "A17001", "name": "Gate B12", "side": .string(side), "state": .string(words),
        "listening": .bool(isListening), "set": 5,
      ]
    }
    #expect(
      report.json["broadcast"] == [
        "listening": "Gate B12",
        "sources": [bud("left", "listening", true), bud("right", "found, no sound yet", false)],
      ])
    #expect(report.text.contains("left bud: listening to Gate B12 (Auracast); other bud"))
    let (gone, later) = try self.state(
      after: known + [reception(.left, 1), .link(ear, .ended(.timeout))])
    #expect(StatusReport(gone, in: later).json["broadcast"] == .null)
  }

  @Test func `a link's timing is reported in milliseconds`() throws {
    let measurement = LinkQuality(
      rssi: -61, timing: LEConnectionTiming(interval: 9, latency: 4, supervisionTimeout: 400),
      transmit: .le2M, receive: .leCoded)
    let (headphone, state) = try state(after: known + [.measured(ear, measurement)])
    let report = StatusReport(headphone, in: state)
    let control = report.json["control"]
    #expect(control?["timing"] == ["interval": .number(11.25), "latency": 4, "timeout": 4000])
    #expect(control?["phy"] == ["transmit": "LE 2M", "receive": "LE Coded"])
  }

  @Test func `a link of bluetoothd's is reported as such`() throws {
    let held = LinkQuality(holder: "bluetoothd")
    let (headphone, state) = try state(after: known + [.measured(ear, held)])
    let report = StatusReport(headphone, in: state)
    #expect(report.json["control"]?["holder"] == "bluetoothd")
    #expect(report.text.contains("ready, through bluetoothd, which holds it"))
    let (own, after) = try self.state(after: known + [.measured(ear, LinkQuality())])
    #expect(StatusReport(own, in: after).json["control"]?["holder"] == .null)
  }

  @Test func `text and JSON say the same, and text cannot deceive a terminal`() throws {
    let (headphone, state) = try state(after: known)
    let text = StatusReport(headphone, in: state).text
    #expect(!text.contains("\u{1B}"))
    for part in [
      "left 80%, right 75%, case 50% charging", "Noise cancelling", "Custom",
      "+1.5, -0.5 dB", "left in ear, right out", "open", "E1", "-50 dBm",
      "playing here, music (A2DP), SBC, 60%",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `the small reports are parts of the status`() throws {
    let (headphone, _) = try state(after: known)
    #expect(BatteryLevelsReport(headphone).text == "left   80%\nright  75%\ncase   50% charging")
    #expect(ANCReport(headphone).text == "noise-cancelling")
    #expect("\(ANCReport(headphone).json)" == #"{"schema":1,"anc":"noise-cancelling","modes":[]}"#)
    #expect(EQReport(headphone).text == "custom: +1.5, -0.5 dB")
    #expect(TouchReport(headphone).text.hasPrefix("left tap          unknown\n"))
    #expect(TouchReport(headphone).json["settings"] == .null)
    #expect("\(ValueReport(.find, "stop").json)" == #"{"schema":1,"find":"stop"}"#)
  }

  @Test func `what touches do on another maker's headphone has the names of its settings`() throws {
    var (headphone, _) = try state(after: known)
    var able = Capabilities()
    able.settings = ["hold-left", "hold-right", "swipe", "touch-lock"].map {
      SettingDeclaration($0, .toggle, title: "", label: "", group: .controls)
    }
    headphone.capabilities = able
    headphone.settings["hold-left"].received(.toggle(true))
    #expect(
      TouchReport(headphone).text == "hold left   on\nhold right  unknown\nswipe       unknown")
    #expect(TouchReport(headphone, side: .left).text == "hold left  on")
    #expect(TouchReport(headphone, side: .left, gesture: .hold).text == "on")
    #expect(TouchReport(headphone, side: .left, gesture: .tap).text == "unknown")
    #expect(
      "\(TouchReport(headphone, side: .right).json)"
        == #"{"schema":1,"left":{"tap":null,"double-tap":null,"triple-tap":null,"hold":null},"#
        + #""right":{"tap":null,"double-tap":null,"triple-tap":null,"hold":null},"#
        + #""settings":{"hold-right":null}}"#)
  }

  @Test func `a battery's time is told where its history carries it`() throws {
    var (headphone, _) = try state(after: known)
    headphone.link = .connected(.ready)
    let now = try #require(headphone.battery?.seenAt).milliseconds / 60_000
    let levels: [(Int64, UInt8)] = [(40, 40), (20, 45), (0, 50)]
    headphone.charges = BatteryHistory(
      levels.map { age, level in
        var sample = ChargeSample(minute: now - age)
        sample[.case] = ChargeSample.Charge(level: level, isCharging: true)
        return sample
      })
    let report = BatteryLevelsReport(headphone)
    #expect(report.text.hasSuffix("case   50% charging, full in about 3 h 20 min"))
    #expect(
      "\(report.json)".hasSuffix(
        #""minutesLeft":{"left":null,"right":null,"case":null},"#
          + #""minutesToFull":{"left":null,"right":null,"case":200}}"#))
  }

  @Test func `the keys are listed by command`() {
    let report = KeysReport([KeysReport.Entry(command: .scan, keys: ["s", "N"])])
    #expect(report.text == "s N  scan: scan for headphones, or stop")
    #expect(
      "\(report.json)" == #"{"schema":1,"keys":[{"command":"scan","keys":["s","N"],"#
        + #""summary":"scan for headphones, or stop"}]}"#)
  }

  @Test func `a headphone's line tells what is known of it`() throws {
    let (headphone, _) = try state(after: known)
    let line = HeadphonesReport.line(headphone)
    #expect(line.hasPrefix("f0f1f2f3f4f5   -50 dBm  Ear "))
    #expect(!line.contains("\u{1B}"))
  }

  private var known: [Action] {
    var description = HeadphoneDescription(
      driver: "", capabilities: Capabilities(), information: DeviceInformation(), mtu: 185,
      requests: 1)
    description.information = DeviceInformation(model: "E1", serial: "7", firmware: "1.2")
    let gains = [3, -1].compactMap { BandGain(halfDecibels: $0) }
    let batteries = [
      Part.left: Battery(level: 80), .right: Battery(level: 75),
      .case: Battery(level: 50, isCharging: true),
    ]
    let sink = AudioSink(
      name: "bluez_output.1", description: "Ear",
      bluetooth: BluetoothSink(address: "00:00:00:00:00:01", profile: .a2dp, codec: "sbc"),
      volume: 60, activity: .running)
    let sound = AudioSnapshot(
      serverName: "pulseaudio", serverVersion: "17", defaultSink: sink.name, sinks: [sink])
    return [
      .link(ear, .connected), .link(ear, .ready(description, isEncrypted: true)),
      .headphone(ear, .batteryChanged(batteries)),
      .headphone(ear, .wearingChanged(Wearing(left: true, right: false))),
      .headphone(ear, .ancChanged(.noiseCancelling)),
      .headphone(ear, .eqChanged(.custom, bands: gains)),
      .headphone(ear, .caseLidChanged(isOpen: true)), .audio(.running(sound)),
    ]
  }

  /// Returns a connecting headphone, and the state after the actions.
  private func state(after actions: [Action]) throws -> (HeadphoneState, State) {
    var state = State()
    let received = DiscoveredHeadphone(
      id: ear, name: "Ear \u{1B}[31m",
      address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random),
      publicAddress: "00:00:00:00:00:01", rssi: -50)
    let adapter = Adapter(name: "hci0", address: BluetoothAddress(value: 0), isPowered: true)
    for action in [
      .adapterChanged(.ready(adapter)), .discovered(received), .pressed(.connectOrDisconnect),
    ] + actions {
      _ = state.reduce(action, at: Timestamp(milliseconds: 0))
    }
    return (try #require(state.headphones[ear]), state)
  }
}
