import AudioRoute
import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols

@testable import Companion

/// The time of scenarios: 14:03:22 UTC.
let noon = Timestamp(milliseconds: 50_602_000)

let ear = HeadphoneID(rawValue: "ear")
let bud = HeadphoneID(rawValue: "bud")

let hci0 = AdapterState.ready(
  Adapter(name: "hci0", address: BluetoothAddress(value: 0x001A_7DDA_7113), isPowered: true))

/// Returns a random address, or zeros if `text` is malformed.
func randomPeer(_ text: String) -> PeerAddress {
  PeerAddress(BluetoothAddress(text) ?? BluetoothAddress(value: 0), .random)
}

/// Returns a discovered headphone with only identity, name and address.
func peripheral(
  _ id: HeadphoneID, name: String = "Ear (a)", address: String = "F0:F1:F2:F3:F4:F5",
  publicAddress: String? = nil, rssi: Int8? = -50
) -> DiscoveredHeadphone {
  DiscoveredHeadphone(
    id: id, name: name, address: randomPeer(address), publicAddress: publicAddress,
    rssi: rssi)
}

/// All features except firmware updates and factory reset.
let allFeatures: Capabilities = {
  var capabilities = Capabilities()
  capabilities.ancModes = ANCMode.allCases
  capabilities.hasANCLevel = true
  capabilities.eqPresets = EQPreset.allCases
  capabilities.eqBands = 5
  capabilities.batteries = Part.allCases
  capabilities.settings = [.wearDetection]
  capabilities.hasFind = true
  capabilities.hasTouchActions = true
  capabilities.hasCase = true
  capabilities.hasRename = true
  return capabilities
}()

func description(of capabilities: Capabilities = allFeatures) -> HeadphoneDescription {
  HeadphoneDescription(
    driver: "Earshot protocol", capabilities: capabilities,
    information: DeviceInformation(model: "EAR-1", serial: "0001"), mtu: 185, requests: 12)
}

/// The serial number of ``description(of:)``.
let earSerial = SerialNumber(manufacturer: nil, model: "EAR-1", number: "0001")

extension State {
  /// Adds a log line.
  mutating func logs(
    _ level: LogLine.Level, _ headphone: HeadphoneID? = nil, _ text: String, event: String? = nil,
    sound: SoundChange? = nil
  ) {
    log.append(
      LogLine(at: noon, level: level, headphone: headphone, text: text, event: event, sound: sound))
  }

  /// What another profile of the headphone's sound changes.
  mutating func usesSound(_ profile: AudioProfile) {
    headphones.update(ear) { $0.care.use?.profile = profile }
  }

  /// Moves the focus to the headphone list, whose order is then held.
  mutating func focusList() {
    focus = .headphones
    heldOrder = headphones.map(\.id)
  }

  mutating func leaveList(for panel: Panel) {
    focus = panel
    heldOrder = nil
  }

  /// Adds a notice.
  mutating func says(
    _ text: String, _ headphone: HeadphoneID? = nil, remedy: UserCommand? = nil
  ) {
    notice = Notice(text, remedy: remedy)
    logs(.notice, headphone, text)
  }

  /// Adds the notice that explains why a key did nothing.
  mutating func explains(
    _ text: String, _ headphone: HeadphoneID? = nil, remedy: UserCommand? = nil
  ) {
    notice = Notice(text, remedy: remedy, isAnswer: true)
    logs(.debug, headphone, text)
  }

  /// Adds a problem.
  mutating func complains(
    _ text: String, advice: String, _ headphone: HeadphoneID? = nil, remedy: UserCommand? = nil
  ) {
    problem = Problem(text, advice: advice, remedy: remedy)
    logs(.error, headphone, text)
  }
}

extension Effect {
  static let noticeTimer = Effect.startTimer(.notice, .exactly(.seconds(4)))
}

extension Scenario {
  /// Returns a scenario with a ready adapter and no headphones.
  static func withAdapter() -> Scenario {
    var scenario = Scenario()
    scenario.given(.adapterChanged(hci0))
    return scenario
  }

  /// Returns a scenario with headphones that advertise and are not connected.
  static func withHeadphone(_ peripherals: DiscoveredHeadphone...) -> Scenario {
    var scenario = withAdapter()
    for received in peripherals.isEmpty ? [peripheral(ear)] : peripherals {
      scenario.given(.discovered(received))
    }
    return scenario
  }

  /// Returns a scenario with the finder open for a ready headphone, scanning.
  static func withFinder() -> Scenario {
    var scenario = withReady()
    scenario.given(.pressed(.find), .scan(.started))
    return scenario
  }

  /// Returns a scenario with a ready headphone, in noise cancelling with the preset balanced.
  static func withReady(_ capabilities: Capabilities = allFeatures) -> Scenario {
    var scenario = withHeadphone()
    scenario.given(
      .pressed(.connectOrDisconnect), .link(ear, .connected),
      .link(ear, .ready(description(of: capabilities), isEncrypted: false)),
      .headphone(ear, .ancChanged(.noiseCancelling)),
      .headphone(ear, .eqChanged(.balanced, bands: nil)))
    return scenario
  }
}

let speakers = AudioSink(
  name: "alsa_output.pci", description: "Speakers", volume: 40, activity: .running)

func bluetoothSink(
  _ address: String? = "F0:F1:F2:F3:F4:F5", named description: String = "Ear (a)",
  volume: Int = 60
) -> AudioSink {
  AudioSink(
    name: "bluez_output.ear", description: description,
    bluetooth: BluetoothSink(address: address, profile: .a2dp, codec: "sbc"), volume: volume,
    activity: .idle, card: "bluez_card.ear")
}

func sound(to defaultSink: String?, _ sinks: AudioSink..., cards: [AudioCard] = []) -> Action {
  .audio(
    .running(
      AudioSnapshot(
        serverName: "pulseaudio", serverVersion: "17.0", defaultSink: defaultSink, sinks: sinks,
        cards: cards)))
}

extension State {
  /// Counts `count` sent commands.
  mutating func countCommands(_ count: UInt64) { commandCount += count }
}
