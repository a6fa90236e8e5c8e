import AudioRoute
import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols

@testable import Companion

/// The moment at which scenarios happen: 14:03:22 UTC.
let noon = Timestamp(milliseconds: 50_602_000)

let ear = HeadphoneID(rawValue: "ear")
let bud = HeadphoneID(rawValue: "bud")

let hci0 = AdapterState.ready(
  Adapter(name: "hci0", address: BluetoothAddress(value: 0x001A_7DDA_7113), isPowered: true))

/// The random address that `text` spells; all zeros if it spells none.
func randomPeer(_ text: String) -> PeerAddress {
  PeerAddress(BluetoothAddress(text) ?? BluetoothAddress(value: 0), .random)
}

/// A sighting with nothing but its identity, name and address.
func peripheral(
  _ id: HeadphoneID, name: String = "Ear (a)", address: String = "F0:F1:F2:F3:F4:F5",
  publicAddress: String? = nil, rssi: Int8? = -50
) -> DiscoveredHeadphone {
  DiscoveredHeadphone(
    id: id, name: name, address: randomPeer(address), publicAddress: publicAddress,
    rssi: rssi)
}

/// Every feature but firmware update and factory reset.
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

/// Of ``description(of:)``.
let earSerial = SerialNumber(manufacturer: nil, model: "EAR-1", number: "0001")

extension State {
  /// What a log line adds.
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

  /// What moving the focus to the list of headphones changes: its order stands still.
  mutating func focusList() {
    focus = .headphones
    heldOrder = headphones.map(\.id)
  }

  mutating func leaveList(for panel: Panel) {
    focus = panel
    heldOrder = nil
  }

  /// What a notice adds.
  mutating func says(
    _ text: String, _ headphone: HeadphoneID? = nil, remedy: UserCommand? = nil
  ) {
    notice = Notice(text, remedy: remedy)
    logs(.notice, headphone, text)
  }

  /// What the reason why a key did nothing adds.
  mutating func explains(
    _ text: String, _ headphone: HeadphoneID? = nil, remedy: UserCommand? = nil
  ) {
    notice = Notice(text, remedy: remedy, isAnswer: true)
    logs(.debug, headphone, text)
  }

  /// What a problem adds.
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
  /// The adapter is ready and nothing was heard yet.
  static func withAdapter() -> Scenario {
    var scenario = Scenario()
    scenario.given(.adapterChanged(hci0))
    return scenario
  }

  /// One headphone was heard and is not connected.
  static func withHeadphone(_ peripherals: DiscoveredHeadphone...) -> Scenario {
    var scenario = withAdapter()
    for received in peripherals.isEmpty ? [peripheral(ear)] : peripherals {
      scenario.given(.discovered(received))
    }
    return scenario
  }

  /// The finder is open for one that is ready, and scans.
  static func withFinder() -> Scenario {
    var scenario = withReady()
    scenario.given(.pressed(.find), .scan(.started))
    return scenario
  }

  /// One headphone is ready, in noise cancelling and balanced.
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
  /// What sending `count` commands adds.
  mutating func countCommands(_ count: UInt64) { commandCount += count }
}
