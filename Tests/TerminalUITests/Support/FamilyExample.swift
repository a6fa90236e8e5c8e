import BluetoothCodec
import Companion
import Configuration
import HeadphoneProtocols

/// Other makers' headphones on the screen, from their bytes.
enum FamilyExample: String, CaseIterable, Sendable {
  case nothing
  /// With custom gains, which are audible.
  case nothingCustom = "nothing-custom"
  /// One battery.
  case nothingHeadphone = "nothing-headphone"
  case soundcore
  /// Only battery and firmware are known.
  case soundcoreBuds = "soundcore-buds"
  /// Advertises live values without a connection.
  case airPodsDiscovered = "airpods"
  case airPodsLinked = "airpods-linked"
  /// One battery and a volume, and nothing else.
  case standard
  case standardMuted = "standard-muted"
  /// Like ``standard``, with Fast Pair's message stream.
  case fastPair = "fast-pair"
  /// Like ``fastPair``, with the stream held by another program.
  case fastPairHeld = "fast-pair-held"
  case set
  case setOneAway = "set-one-away"

  var state: State {
    switch self {
    case .nothing: Self.reported(NothingProtocol(), "Nothing Ear", Self.nothingResponses)
    case .nothingCustom:
      Self.reported(
        NothingProtocol(), "Nothing Ear",
        Self.nothingResponses + [
          // 140 Hz +2, 980 Hz -6, 3400 Hz +6 dB.
          """
          55 60 01 44 40 2c 00 01 03 00 00 c0 c0 01 00 00 c0 c0 00 00 75 44 33 33 33 3f
          02 00 00 c0 40 00 80 54 45 00 00 80 3f 00 00 00 00 40 00 00 0c 43 cd cc 4c 3f
          """, "55 60 01 1f 40 01 00 01 05",
        ])
    case .nothingHeadphone:
      Self.reported(
        NothingProtocol(), "Headphone (1)",
        ["55 60 01 07 40 03 00 01 00 00 d8", "55 60 01 1e 40 02 00 01 00 01"])
    case .soundcore:
      Self.reported(
        SoundcoreProtocol(.bundled), "Soundcore Life Q30",
        [
          """
          09 ff 00 00 01 01 01 46 00 05 00 fe fe 3c b4 8f a0 8e b4 74 88 00 00 00 00 00 00 00 00 00
          00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 01 00 30 32 2e 33 30 33 30 32 39 30 38 36
          45 43 38 32 46 31 32 41 43 30
          """
        ])
    case .soundcoreBuds:
      Self.reported(
        SoundcoreProtocol(.bundled), "Soundcore buds",
        [
          "09 ff 00 00 01 01 03 0c 00 03 04 20", "09 ff 00 00 01 01 04 0c 00 01 00 1b",
          """
          09 ff 00 00 01 01 05 24 00 31 32 2e 33 34 32 33 2e 34 35 30 31 32 33 34 35 36 37 38 39 41
          42 43 44 45 46 c9
          """,
        ])
    case .airPodsDiscovered: Self.airPodsDiscoveredState
    case .airPodsLinked:
      Self.reported(
        AACPProtocol(), "AirPods 4 (ANC)",
        [
          "04 00 04 00 09 00 0d 04 00 00 00", "04 00 04 00 09 00 2e 32 00 00 00",
          "04 00 04 00 04 00 03 02 01 40 02 01 04 01 47 02 01 08 01 26 01 01",
          "04 00 04 00 06 00 00 01",
        ], at: PeerAddress(BluetoothAddress(value: 0x3C22_FB00_0001), .classic), mtu: nil)
    case .standard: Self.standardState(isMuted: false)
    case .standardMuted: Self.standardState(isMuted: true)
    case .fastPair: Self.fastPairState(isHeld: false)
    case .fastPairHeld: Self.fastPairState(isHeld: true)
    case .set: Self.setState(rightIsLinked: true)
    case .setOneAway: Self.setState(rightIsLinked: false)
    }
  }

  private static let nothingResponses = [
    "55 60 01 07 40 07 00 01 03 04 b2 02 3c 03 3a", "55 60 01 1e 40 02 00 01 00 02",
    "55 60 01 1f 40 01 00 01 00", "55 60 01 0e 40 03 00 01 01 01 01",
    "55 60 01 42 40 08 00 02 31 2e 30 2e 31 2e 35 32",
  ]

  private static var airPodsDiscoveredState: State {
    let bytes = bytes(
      "07 19 01 14 20 33 79 26 01 00 05" + String(repeating: " e5", count: 16))
    guard let reported = try? ProximityAdvertisement(decoding: bytes, .bundled) else {
      return changed([])
    }
    var peripheral = DiscoveredHeadphone(
      id: HeadphoneID(rawValue: "apple"), name: ModelCatalog.bundled.appleName(reported.model),
      address: PeerAddress(BluetoothAddress(value: 0x4000_0000_0007), .random), rssi: -48,
      battery: reported.batteries)
    peripheral.reported = AdvertisedState(
      wearing: reported.wearing, isCaseOpen: reported.isCaseOpen)
    return changed([.discovered(peripheral), .pressed(.connectOrDisconnect)])
  }

  private static func standardState(isMuted: Bool) -> State {
    let id = HeadphoneID(rawValue: "unknown")
    var description = HeadphoneDescription(
      driver: "standard services", capabilities: Capabilities(),
      information: DeviceInformation(), mtu: 185, requests: 8)
    description.capabilities.batteries = [.left]
    description.capabilities.hasVolume = true
    description.missing = [
      "information: no service 180A", "find: no service 1802",
      "noise control, equaliser: no service of a family that Earshot knows",
    ]
    let ready: [Action] = [
      .discovered(
        DiscoveredHeadphone(
          id: id, name: "LE-9",
          address: PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5390), .random), rssi: -64)),
      .pressed(.connectOrDisconnect), .link(id, .connected),
      .headphone(id, .batteryChanged([.left: Battery(level: 64)])),
      .headphone(id, .volumeChanged(HeadphoneVolume(level: 50, isMuted: false))),
      .link(id, .ready(description, isEncrypted: false)),
    ]
    return changed(
      ready
        + (isMuted
          ? [.headphone(id, .volumeChanged(HeadphoneVolume(level: 50, isMuted: true)))]
          : [.pressed(.top), .pressed(.raise)]))
  }

  private static func fastPairState(isHeld: Bool) -> State {
    var state = standardState(isMuted: false)
    let id = HeadphoneID(rawValue: "unknown")
    var description = HeadphoneDescription(
      driver: "standard services", capabilities: Capabilities(),
      information: DeviceInformation(model: "Fast Pair AABBCC"), mtu: 185, requests: 8)
    description.capabilities.batteries = [.left]
    description.capabilities.hasVolume = true
    if isHeld {
      description.missing = [
        "battery of each part, find by side: Fast Pair's message stream: another program holds it"
      ]
    } else {
      var stream = FastPairProtocol()
      for message in ["03 03 00 03 57 41 b2", "03 09 00 05 33 2e 31 2e 34"] {
        for event in stream.receive(bytes(message)).events {
          _ = state.reduce(.headphone(id, event), at: Example.now)
        }
      }
      description.capabilities.batteries = stream.capabilities.batteries
      description.capabilities.hasCase = true
      description.capabilities.hasFind = true
      description.information.firmware = stream.information.firmware
    }
    _ = state.reduce(.headphone(id, .described(description)), at: Example.now)
    return state
  }

  private static func setState(rightIsLinked: Bool) -> State {
    let (id, other) = (HeadphoneID(rawValue: "left"), HeadphoneID(rawValue: "right"))
    var description = HeadphoneDescription(
      driver: "standard services", capabilities: Capabilities(),
      information: DeviceInformation(model: "LE Duo", firmware: "2.0.1"), mtu: 247, requests: 14)
    description.capabilities.batteries = [.left, .right]
    description.capabilities.hasFind = true
    description.set = SetKey(Array(0...15)[...]).map {
      CoordinatedSet(key: $0, size: 2, side: .left)
    }
    var right = SetMember(
      PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5389), .random), .right, isLinked: true)
    var actions: [Action] = [
      .discovered(
        DiscoveredHeadphone(
          id: id, name: "LE Duo",
          address: PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5388), .random), rssi: -57)),
      .discovered(
        DiscoveredHeadphone(
          id: other, name: "LE Duo",
          address: PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5389), .random), rssi: -60)),
      .pressed(.connectOrDisconnect), .link(id, .connected),
      .headphone(id, .batteryChanged([.left: Battery(level: 83)])),
      .link(id, .ready(description, isEncrypted: true)), .joined(other, id),
      .link(id, .member(right)),
      .headphone(id, .batteryChanged([.right: Battery(level: 78)])),
    ]
    if !rightIsLinked {
      right.isLinked = false
      actions.append(.link(id, .member(right)))
    }
    return changed(actions)
  }

  // MARK: -

  private static func reported(
    _ proto: some HeadphoneProtocol, _ name: String, _ answers: [String],
    at address: PeerAddress = PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5381), .random),
    mtu: Int? = 247
  ) -> State {
    var proto = proto
    let id = HeadphoneID(rawValue: "family")
    let peripheral = DiscoveredHeadphone(id: id, name: name, address: address, rssi: -52)
    var actions: [Action] = [
      .discovered(peripheral), .pressed(.connectOrDisconnect), .link(id, .connected),
    ]
    for answer in answers {
      actions += proto.receive(bytes(answer)).events.map { .headphone(id, $0) }
    }
    let description = HeadphoneDescription(
      driver: type(of: proto).name, capabilities: proto.capabilities,
      information: proto.information, mtu: mtu, requests: 9)
    return changed(actions + [.link(id, .ready(description, isEncrypted: false))])
  }

  private static func changed(_ actions: [Action]) -> State {
    var state = Example.state()
    state.headphones = HeadphoneList()
    state.log = Log()
    for action in actions { _ = state.reduce(action, at: Example.now) }
    return state
  }

  private static func bytes(_ text: String) -> ArraySlice<UInt8> {
    text.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) }[...]
  }
}
