import AudioRoute
import Companion
import Headphones
import TerminalUI

/// States to draw: each begins with an ordinary one and changes what the test is about.
enum Example {
  static let aurora = HeadphoneID(rawValue: "aurora")
  /// 2026-03-14 14:03:22 UTC.
  static let now = Timestamp(milliseconds: 1_773_497_002_000)

  static func at(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: now.milliseconds + seconds * 1000)
  }

  /// A full headphone, connected, with sound on it, two more around.
  static func state() -> State {
    var state = State()
    state.adapter = .ready(
      AdapterIdentity(name: "hci0", address: "00:1A:7D:DA:71:13", isVirtual: false))
    state.headphones = HeadphoneList([auroraPro(), nimbus(), studio()])
    state.audio = .running(sound())
    for (seconds, level, text) in [
      (-41, LogLine.Level.info, "hci0 is ready"), (-40, .info, "looking for headphones"),
      (-39, .info, "heard Aurora Pro"), (-38, .info, "ready after 11 requests, MTU 247"),
      (-20, .warning, "not understood: event 0x42, 3 bytes"),
      (-3, .info, "noise control: noise cancelling"),
    ] {
      state.log.append(LogLine(at: at(Int64(seconds)), level: level, text: text))
    }
    return state
  }

  static func auroraPro() -> HeadphoneState {
    var headphone = HeadphoneState(
      id: aurora, name: "Aurora Pro", address: AirAddress("F0:F1:F2:F3:F4:F5", .random),
      publicAddress: "00:11:22:33:44:55", rssi: -58)
    headphone.isNearby = true
    headphone.isWanted = true
    headphone.link = .ready
    headphone.lastPacket = now
    headphone.mtu = 247
    headphone.driver = "Earshot protocol"
    headphone.capabilities = fullCapabilities()
    headphone.information = DeviceInformation(
      manufacturer: "Earshot Audio", model: "EA-2", serial: "EA2-004217", firmware: "1.4.2",
      hardware: "B")
    headphone.battery = Reading(
      [
        .left: Battery(level: 80, isCharging: false), .right: Battery(level: 75, isCharging: false),
        .case: Battery(level: 50, isCharging: true),
      ], seenAt: now)
    headphone.wearing = Wearing(left: true, right: false)
    headphone.isCaseOpen = false
    headphone.anc = Setting(.noiseCancelling)
    headphone.ancLevel = Setting(7)
    headphone.eq = Setting(.custom)
    headphone.bands = Setting(
      [6, 4, 1, -2, -4, 0, 3, 7].compactMap { BandGain(halfDecibels: $0) })
    headphone.settings[.wearDetection] = Setting(.toggle(true))
    return headphone
  }

  static func fullCapabilities() -> Capabilities {
    var capabilities = Capabilities()
    capabilities.ancModes = ANCMode.allCases
    capabilities.hasANCLevel = true
    capabilities.eqPresets = EQPreset.allCases
    capabilities.eqBands = 8
    capabilities.batteries = Part.allCases
    capabilities.settings = [.wearDetection]
    capabilities.hasFind = true
    capabilities.hasTouchActions = true
    capabilities.hasCase = true
    capabilities.hasRename = true
    return capabilities
  }

  static func nimbus() -> HeadphoneState {
    var headphone = HeadphoneState(
      id: HeadphoneID(rawValue: "nimbus"), name: "Nimbus Lite",
      address: AirAddress("C4:12:90:AB:33:01", .random), rssi: -74)
    headphone.battery = Reading(
      [.left: Battery(level: 34), .right: Battery(level: 18)], seenAt: at(-300))
    return headphone
  }

  static func studio() -> HeadphoneState {
    HeadphoneState(
      id: HeadphoneID(rawValue: "studio"), name: "音楽 Studio 🎧",
      address: AirAddress("D0:00:00:00:00:07", .random))
  }

  static func sound(to sink: String? = "bluez") -> AudioSnapshot {
    AudioSnapshot(
      serverName: "PulseAudio (on PipeWire 1.0.5)", serverVersion: "15.0.0", defaultSink: sink,
      sinks: [
        AudioSink(
          name: "pci", description: "Built-in Audio Analog Stereo", volume: 45,
          activity: .suspended),
        AudioSink(name: "hdmi", description: "HDMI / DisplayPort 1", volume: 100, activity: .idle),
        AudioSink(
          name: "bluez", description: "Aurora Pro",
          bluetooth: BluetoothSink(
            address: "00:11:22:33:44:55", profile: .a2dp, codec: "ldac"),
          volume: 60, activity: .running),
      ])
  }

  /// The same sound without the headphone.
  static func soundElsewhere() -> AudioSnapshot {
    var sound = sound(to: "pci")
    sound.sinks.removeLast()
    return sound
  }
}

extension State {
  /// The state with the first headphone changed.
  func with(_ change: (inout HeadphoneState) -> Void) -> State {
    var state = self
    state.headphones.update(Example.aurora, change)
    return state
  }

  func changed(_ change: (inout State) -> Void) -> State {
    var state = self
    change(&state)
    return state
  }
}
