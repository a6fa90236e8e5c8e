import Companion
import Configuration
import Headphones
import TerminalUI
import Testing

/// From the bytes of other makers' headphones to the screen.
@Suite struct FamilyScreenTests {
  private static let sizes = [
    "80x24": Size.ordinary, "120x40": Size(columns: 120, rows: 40),
    "40x12": Size(columns: 40, rows: 12),
  ]

  @Test(arguments: ["80x24", "120x40", "40x12"])
  func `Nothing tells three batteries and levels from 1 to 3`(_ size: String) throws {
    let state = Self.state(
      NothingLanguage(), "Nothing Ear",
      [
        "55 60 01 07 40 07 00 01 03 04 b2 02 3c 03 3a", "55 60 01 1e 40 02 00 01 00 02",
        "55 60 01 1f 40 01 00 01 00", "55 60 01 0e 40 03 00 01 01 01 01",
        "55 60 01 42 40 08 00 02 31 2e 30 2e 31 2e 35 32",
      ])
    expectScreen(view(state, size: try #require(Self.sizes[size])), "family-nothing-\(size)")
  }

  @Test func `Soundcore tells steps and eight bands, and no case`() {
    let state = Self.state(
      SoundcoreLanguage(.bundled), "Soundcore Life Q30",
      [
        """
        09 ff 00 00 01 01 01 46 00 05 00 fe fe 3c b4 8f a0 8e b4 74 88 00 00 00 00 00 00 00 00 00
        00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00 01 00 30 32 2e 33 30 33 30 32 39 30 38 36
        45 43 38 32 46 31 32 41 43 30
        """
      ])
    expectScreen(view(state, size: .ordinary), "family-soundcore")
  }

  @Test func `a Soundcore model whose state is unknown has no noise control to show`() {
    let state = Self.state(
      SoundcoreLanguage(.bundled), "Soundcore buds",
      ["09 ff 00 00 01 01 03 0c 00 03 04 20", "09 ff 00 00 01 01 04 0c 00 01 00 1b"])
    expectScreen(view(state, size: .ordinary), "family-soundcore-buds")
  }

  @Test func `AirPods are live without a connection`() throws {
    let bytes = Self.bytes("07 19 01 14 20 33 79 26 01 00 05" + String(repeating: " e5", count: 16))
    let told = try ProximityAdvertisement(decoding: bytes, .bundled)
    var sighting = HeadphoneSighting(
      id: HeadphoneID(rawValue: "apple"), name: ModelBook.bundled.appleName(told.model),
      address: AirAddress("40:00:00:00:00:07", .random), rssi: -48, battery: told.batteries)
    sighting.told = AdvertisedState(wearing: told.wearing, isCaseOpen: told.isCaseOpen)
    var state = Self.empty
    _ = state.reduce(.sighted(sighting), at: Example.now)
    _ = state.reduce(.pressed(.connectOrDisconnect), at: Example.now)
    #expect(state.headphones.selected?.link == .idle)
    expectScreen(view(state, size: .ordinary), "family-airpods")
  }

  @Test(arguments: ["80x24", "120x40", "40x12"])
  func `AirPods on the audio side's link have noise control`(_ size: String) throws {
    let state = Self.state(
      AACPLanguage(), "AirPods 4 (ANC)",
      [
        "04 00 04 00 09 00 0d 04 00 00 00", "04 00 04 00 09 00 2e 32 00 00 00",
        "04 00 04 00 04 00 03 02 01 40 02 01 04 01 47 02 01 08 01 26 01 01",
        "04 00 04 00 06 00 00 01",
      ], at: AirAddress("3C:22:FB:00:00:01", .classic), mtu: nil)
    expectScreen(view(state, size: try #require(Self.sizes[size])), "family-airpods-linked-\(size)")
  }

  @Test(arguments: ["80x24", "120x40", "40x12"])
  func `a headphone of no known family is useful: battery, its own volume`(
    _ size: String
  ) throws {
    var state = Self.unknownHeadphone
    _ = state.reduce(.pressed(.top), at: Example.now)
    _ = state.reduce(.pressed(.raise), at: Example.now)
    expectScreen(
      view(state, size: try #require(Self.sizes[size])), "family-standard-\(size)")
  }

  @Test func `a headphone that mutes itself says so`() {
    var state = Self.unknownHeadphone
    let muted = HeadphoneVolume(level: 50, isMuted: true)
    let id = HeadphoneID(rawValue: "unknown")
    _ = state.reduce(.headphone(id, .volumeChanged(muted)), at: Example.now)
    expectScreen(view(state, size: .ordinary), "family-standard-muted")
  }

  @Test func `what a headphone of no known family lacks is said, and where it would be`() {
    var state = Self.unknownHeadphone
    _ = state.reduce(.pressed(.info), at: Example.now)
    expectScreen(
      view(state, size: Size(columns: 80, rows: 34)), "family-standard-information")
    expectScreen(
      view(state, size: Size(columns: 40, rows: 34)), "family-standard-information-narrow")
  }

  @Test func `two buds of a set are one row, and one of them may be away`() {
    var state = Self.empty
    let (id, other) = (HeadphoneID(rawValue: "left"), HeadphoneID(rawValue: "right"))
    var description = HeadphoneDescription(
      driver: "standard services", capabilities: Capabilities(),
      information: DeviceInformation(model: "LE Duo", firmware: "2.0.1"), mtu: 247, requests: 14)
    description.capabilities.batteries = [.left, .right]
    description.capabilities.hasFind = true
    description.set = SetKey(Array(0...15)[...]).map {
      CoordinatedSet(key: $0, size: 2, side: .left)
    }
    var right = SetMember(AirAddress("C0:DE:5E:00:53:89", .random), .right, isLinked: true)
    let actions: [Action] = [
      .sighted(
        HeadphoneSighting(
          id: id, name: "LE Duo", address: AirAddress("C0:DE:5E:00:53:88", .random), rssi: -57)),
      .sighted(
        HeadphoneSighting(
          id: other, name: "LE Duo", address: AirAddress("C0:DE:5E:00:53:89", .random), rssi: -60)),
      .pressed(.connectOrDisconnect), .link(id, .connected),
      .headphone(id, .batteryChanged([.left: Battery(level: 83)])),
      .link(id, .ready(description, isEncrypted: true)), .joined(other, id),
      .link(id, .member(right)),
      .headphone(id, .batteryChanged([.right: Battery(level: 78)])),
    ]
    for action in actions { _ = state.reduce(action, at: Example.now) }
    expectScreen(view(state, size: .ordinary), "family-set")
    right.isLinked = false
    _ = state.reduce(.link(id, .member(right)), at: Example.now)
    expectScreen(view(state, size: .ordinary), "family-set-one-away")
    _ = state.reduce(.pressed(.info), at: Example.now)
    expectScreen(view(state, size: Size(columns: 80, rows: 34)), "family-set-information")
  }

  // MARK: -

  /// One battery and a volume, and nothing else.
  private static var unknownHeadphone: State {
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
    let actions: [Action] = [
      .sighted(
        HeadphoneSighting(
          id: id, name: "LE-9", address: AirAddress("C0:DE:5E:00:53:90", .random), rssi: -64)),
      .pressed(.connectOrDisconnect), .link(id, .connected),
      .headphone(id, .batteryChanged([.left: Battery(level: 64)])),
      .headphone(id, .volumeChanged(HeadphoneVolume(level: 50, isMuted: false))),
      .link(id, .ready(description, isEncrypted: false)),
    ]
    var state = empty
    for action in actions { _ = state.reduce(action, at: Example.now) }
    return state
  }

  private static var empty: State {
    var state = Example.state()
    state.headphones = HeadphoneList()
    state.log = Log()
    return state
  }

  private static func state(
    _ language: some HeadphoneLanguage, _ name: String, _ answers: [String],
    at address: AirAddress = AirAddress("C0:DE:5E:00:53:81", .random), mtu: Int? = 247
  ) -> State {
    var language = language
    let id = HeadphoneID(rawValue: "family")
    var state = empty
    let sighting = HeadphoneSighting(
      id: id, name: name, address: address, rssi: -52)
    var actions: [Action] = [
      .sighted(sighting), .pressed(.connectOrDisconnect), .link(id, .connected),
    ]
    for answer in answers {
      actions += language.hear(bytes(answer)).events.map { .headphone(id, $0) }
    }
    let description = HeadphoneDescription(
      driver: type(of: language).name, capabilities: language.capabilities,
      information: language.information, mtu: mtu, requests: 9)
    for action in actions + [.link(id, .ready(description, isEncrypted: false))] {
      _ = state.reduce(action, at: Example.now)
    }
    return state
  }

  private static func bytes(_ text: String) -> ArraySlice<UInt8> {
    text.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) }[...]
  }
}
