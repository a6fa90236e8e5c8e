import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import TerminalUI

/// States to draw, which change an ordinary one for each test.
enum Example {
  static let aurora = HeadphoneID(rawValue: "aurora")
  /// 2026-03-14 14:03:22 UTC.
  static let now = Timestamp(milliseconds: 1_773_497_002_000)

  /// The adapter of the virtual headphones.
  static let virtualAdapter = Adapter(
    name: "virtual", address: BluetoothAddress(value: 0), isPowered: true, isVirtual: true)

  static func at(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: now.milliseconds + seconds * 1000)
  }

  /// Returns a connected headphone with all features and sound, and two more nearby.
  static func state() -> State {
    var state = State()
    state.adapter = .ready(
      Adapter(name: "hci0", address: BluetoothAddress(value: 0x001A_7DDA_7113), isPowered: true))
    state.headphones = HeadphoneList([auroraPro(), nimbus(), studio()])
    state.audio = .running(sound())
    for (seconds, level, text) in [
      (-41, LogLine.Level.info, "hci0 is ready"), (-40, .info, "scanning…"),
      (-39, .info, "heard Aurora Pro"), (-38, .info, "ready after 11 requests, MTU 247"),
      (-20, .warning, "not understood: event 0x42, 3 bytes"),
      (-3, .info, "noise control: noise cancelling"),
    ] {
      let event = text.hasPrefix("ready") ? "controls ready" : nil
      state.log.append(LogLine(at: at(Int64(seconds)), level: level, text: text, event: event))
    }
    return state
  }

  static func auroraPro() -> HeadphoneState {
    var headphone = HeadphoneState(
      id: aurora, name: "Aurora Pro",
      address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random),
      publicAddress: "00:11:22:33:44:55", rssi: -58)
    headphone.isNearby = true
    headphone.link = .connected(.ready)
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
    headphone.charges = charges()
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

  /// Returns three hours of use after a pause, while the case is charged.
  static func charges() -> BatteryHistory {
    func sample(_ minutes: Int64, _ left: UInt8, _ right: UInt8, _ box: UInt8) -> ChargeSample {
      var sample = ChargeSample(
        minute: now.milliseconds / 60_000 + minutes, isFirst: minutes == -180)
      sample[.left] = ChargeSample.Charge(level: left, isCharging: false)
      sample[.right] = ChargeSample.Charge(level: right, isCharging: false)
      sample[.case] = ChargeSample.Charge(level: box, isCharging: minutes > -60)
      return sample
    }
    return BatteryHistory([
      sample(-215, 100, 100, 40), sample(-200, 99, 98, 40), sample(-180, 98, 97, 30),
      sample(-150, 95, 93, 30), sample(-120, 92, 88, 30), sample(-90, 89, 86, 30),
      sample(-60, 86, 82, 30), sample(-45, 84, 80, 35), sample(-30, 83, 78, 40),
      sample(-15, 82, 77, 45), sample(0, 80, 75, 50),
    ])
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
      address: PeerAddress(BluetoothAddress(value: 0xC412_90AB_3301), .random), rssi: -74)
    headphone.isNearby = true
    headphone.battery = Reading(
      [.left: Battery(level: 34), .right: Battery(level: 18)], seenAt: at(-300))
    return headphone
  }

  static func studio() -> HeadphoneState {
    HeadphoneState(
      id: HeadphoneID(rawValue: "studio"), name: "音楽 Studio 🎧",
      address: PeerAddress(BluetoothAddress(value: 0xD000_0000_0007), .random))
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

  /// Returns the same sound without the headphone.
  static func soundElsewhere() -> AudioSnapshot {
    var sound = sound(to: "pci")
    sound.sinks.removeLast()
    return sound
  }
}

extension State {
  /// Returns the state with the first headphone changed.
  func with(_ change: (inout HeadphoneState) -> Void) -> State {
    var state = self
    state.headphones.update(Example.aurora, change)
    return state
  }

  /// Returns the state after an action.
  func receiving(_ action: Action) -> State {
    var state = self
    _ = state.reduce(action, at: Example.at(0))
    return state
  }

  func changed(_ change: (inout State) -> Void) -> State {
    var state = self
    change(&state)
    return state
  }
}
