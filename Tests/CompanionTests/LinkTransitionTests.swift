import Bluetooth
import BluetoothCodec
import Companion
import HeadphoneProtocols
import Testing

/// Every state of a link meets every event: what is not listed changes no link.
@Suite struct LinkTransitionTests {
  @Test(arguments: LinkStory.all) func `a link goes where its table says, and nowhere else`(
    story: LinkStory
  ) {
    for event in LinkHappening.all {
      var scenario = story.scenario
      guard let before = scenario.state.headphones[ear]?.link else {
        Issue.record("\(story.title) has no headphone")
        return
      }
      #expect(before == story.link, "\(story.title) begins elsewhere")
      scenario.given(event.action)
      let after = scenario.state.headphones[ear]?.link
      #expect(
        after == story.turns[event.title] ?? before,
        "\(story.title), when \(event.title): \(String(describing: after))")
    }
  }

  @Test func `the table names no event that there is not`() {
    let titles = Set(LinkHappening.all.map(\.title))
    for story in LinkStory.all { #expect(titles.isSuperset(of: story.turns.keys)) }
  }
}

/// Something that happens to a link.
struct LinkHappening: Sendable {
  var title: String
  var action: Action

  init(_ title: String, _ action: Action) {
    self.title = title
    self.action = action
  }

  static let all: [LinkHappening] = [
    LinkHappening("connected", .link(ear, .connected)),
    LinkHappening("ready", .link(ear, .ready(description(), isEncrypted: true))),
    LinkHappening("peer", .link(ear, .ended(.peer))),
    LinkHappening("out of range", .link(ear, .ended(.timeout))),
    LinkHappening("MIC failure", .link(ear, .ended(.micFailure))),
    LinkHappening("no room", .link(ear, .noRoom)),
    LinkHappening("failed", .link(ear, .failed(.security(.keyMissing)))),
    LinkHappening("denied", .link(ear, .denied(capability: "CAP_NET_RAW"))),
    LinkHappening("unsupported", .link(ear, .unsupported(missing: "FFF3"))),
    LinkHappening("pairs", .link(ear, .began(.pairing))),
    LinkHappening("paired", .link(ear, .finished(.pairing))),
    LinkHappening("updates", .link(ear, .began(.firmwareUpdate))),
    LinkHappening("updated", .link(ear, .finished(.firmwareUpdate))),
    LinkHappening("restarts", .link(ear, .began(.firmwareRestart))),
    LinkHappening("resets", .link(ear, .began(.factoryReset))),
    LinkHappening("not reset", .link(ear, .finished(.factoryReset))),
    LinkHappening("subscribes", .headphone(ear, .starting(.subscribing))),
    LinkHappening("retry", .timerFired(.reconnect(ear))),
    LinkHappening("steady", .timerFired(.steady(ear))),
    LinkHappening("seen", .discovered(peripheral(ear))),
    LinkHappening("scan ends", .scan(.ended)),
    LinkHappening("scan denied", .scan(.denied(capability: "CAP_NET_RAW"))),
    LinkHappening("key", .pressed(.connectOrDisconnect)),
    LinkHappening("Esc", .pressed(.back)),
    LinkHappening("adapter off", .adapterChanged(.off(adapter: "hci0"))),
    LinkHappening("adapter blocked", .adapterChanged(.blocked(adapter: "hci0"))),
    LinkHappening("adapter gone", .adapterChanged(.absent)),
    LinkHappening("adapter on", .adapterChanged(hci0)),
  ]
}

/// A state of a link, how it came to be, and where each event leads.
struct LinkStory: Sendable, CustomTestStringConvertible {
  var title: String
  var link: LinkState
  var scenario: Scenario
  /// By the event's title.
  var turns: [String: LinkState]

  var testDescription: String { title }

  private init(
    _ title: String, _ link: LinkState, from scenario: Scenario, _ actions: [Action],
    _ turns: [String: LinkState]...
  ) {
    self.title = title
    self.link = link
    self.scenario = scenario
    for action in actions { self.scenario.given(action) }
    self.turns = turns.reduce(into: [:]) { $0.merge($1) { $1 } }
  }

  private static func lost(_ reason: DisconnectReason, attempt: Int = 1) -> LinkState {
    .reconnecting(Retry(attempt: attempt, delay: .seconds(1 << (attempt - 1)), after: reason))
  }

  private static func link(_ event: LinkEvent) -> Action { .link(ear, event) }

  /// A wanted link without a channel, and the adapter goes.
  private static let waits: [String: LinkState] = [
    "adapter off": .bluetoothOff, "adapter blocked": .waitingForBluetooth(.unblocking),
    "adapter gone": .waitingForBluetooth(.adapter),
  ]

  private static let cancels: [String: LinkState] = [
    "key": .userCancelled, "Esc": .userCancelled,
  ]

  /// How any attempt or link can end.
  private static let ends: [String: LinkState] = [
    "peer": lost(.peer), "out of range": lost(.timeout), "MIC failure": .disconnected(.micFailure),
    "failed": .failed(.security(.keyMissing)),
    "denied": .permissionDenied(capability: "CAP_NET_RAW"),
    "unsupported": .unsupported(missing: "FFF3"),
  ]

  /// An adapter without room for this one carries nothing of ours: tried again later.
  private static let room: [String: LinkState] = [
    "no room": lost(.busy("the adapter is at its connection limit"))
  ]

  static let all: [LinkStory] = beginnings + starts + services + pauses + endings

  private static let wanted: Action = .pressed(.connectOrDisconnect)

  private static let beginnings: [LinkStory] = [
    LinkStory("idle", .idle, from: .withHeadphone(), [], ["key": .connecting]),
    LinkStory(
      "waiting for an adapter", .waitingForBluetooth(.adapter), from: .withHeadphone(),
      [.adapterChanged(.absent), wanted], cancels, waits,
      ["adapter on": .connecting]),
    LinkStory(
      "Bluetooth is off", .bluetoothOff, from: .withHeadphone(),
      [wanted, .adapterChanged(.off(adapter: "hci0"))],
      [
        "adapter gone": .waitingForBluetooth(.adapter),
        "adapter blocked": .waitingForBluetooth(.unblocking), "adapter on": .connecting,
      ]),
    LinkStory(
      "blocked by rfkill", .waitingForBluetooth(.unblocking), from: .withHeadphone(),
      [wanted, .adapterChanged(.blocked(adapter: "hci0"))], cancels,
      [
        "adapter gone": .waitingForBluetooth(.adapter), "adapter off": .bluetoothOff,
        "adapter on": .connecting,
      ]),
    LinkStory(
      "waiting for its turn", .waitingForBluetooth(.turn), from: .withHeadphone(),
      [
        .discovered(peripheral(bud, name: "Bud")), .pressed(.nextHeadphone), wanted,
        .pressed(.previousHeadphone), wanted,
      ], cancels, waits),
    LinkStory(
      "scanning for it", .scanning, from: .withAdapter(),
      [
        .launched(
          [
            KnownHeadphone(
              id: ear, name: "Ear",
              address: PeerAddress(BluetoothAddress(value: 0x5A00_0000_0001), .random),
              lastUsed: noon
            )
          ], autoConnect: .lastUsed(else: .only)),
        .scan(.started),
      ], cancels, waits,
      [
        "seen": .connecting, "scan ends": lost(.connectTimeout),
        "scan denied": .permissionDenied(capability: "CAP_NET_RAW"),
      ]),
    LinkStory(
      "connecting", .connecting, from: .withHeadphone(), [wanted], cancels, waits, ends, room,
      ["connected": .discoveringServices]),
  ]

  private static let starts: [LinkStory] = {
    let begun = [wanted, link(.connected)]
    let any: [String: LinkState] = ["ready": .ready, "subscribes": .subscribing, "pairs": .pairing]
    return [
      LinkStory(
        "discovering services", .discoveringServices, from: .withHeadphone(), begun,
        cancels, ends, any),
      LinkStory(
        "discovering characteristics", .discoveringCharacteristics, from: .withHeadphone(),
        begun + [.headphone(ear, .starting(.discoveringCharacteristics))], cancels, ends,
        any),
      LinkStory(
        "subscribing", .subscribing, from: .withHeadphone(),
        begun + [.headphone(ear, .starting(.subscribing))], cancels, ends, any),
      LinkStory(
        "pairing before it is ready", .pairing, from: .withHeadphone(),
        begun + [.headphone(ear, .starting(.subscribing)), link(.began(.pairing))], cancels, ends,
        ["ready": .ready, "paired": .subscribing]),
    ]
  }()

  private static let services: [LinkStory] = [
    LinkStory(
      "ready", .ready, from: .withReady(), [], ends,
      [
        "key": .disconnected(.user), "pairs": .pairing, "updates": .firmwareUpdate,
        "restarts": .firmwareRestarting, "resets": .factoryReset,
      ]),
    LinkStory(
      "pairing on request", .pairing, from: .withReady(), [link(.began(.pairing))], cancels, ends,
      ["paired": .ready, "ready": .ready]),
    LinkStory(
      "updating", .firmwareUpdate, from: .withReady(), [link(.began(.firmwareUpdate))], ends,
      ["key": .disconnected(.user), "updated": .ready, "restarts": .firmwareRestarting]),
    LinkStory(
      "resetting", .factoryReset, from: .withReady(), [link(.began(.factoryReset))], ends,
      [
        "key": .disconnected(.user), "peer": .idle, "out of range": .idle, "MIC failure": .idle,
        "not reset": .ready,
      ]),
  ]

  private static let pauses: [LinkStory] = [
    LinkStory(
      "waiting for room", .waitingForBluetooth(.room), from: .withHeadphone(),
      [
        .discovered(peripheral(bud, name: "Bud")), .pressed(.nextHeadphone), wanted,
        .link(bud, .connected), .pressed(.previousHeadphone), wanted, link(.noRoom),
        .pressed(.back),
      ], cancels, waits),
    LinkStory(
      "reconnecting after an absence", lost(.timeout), from: .withReady(),
      [link(.ended(.timeout))], cancels, waits, ["retry": .connecting, "seen": .connecting]),
    LinkStory(
      "reconnecting after a refusal", lost(.refused), from: .withReady(),
      [link(.ended(.refused))], cancels, waits, ["retry": .connecting]),
    LinkStory(
      "restarting", .firmwareRestarting, from: .withReady(),
      [link(.began(.firmwareRestart))], cancels, waits, ends,
      [
        "retry": .connecting, "peer": .firmwareRestarting, "out of range": .firmwareRestarting,
      ]),
  ]

  /// What is over stays so until a person begins anew.
  private static let endings: [LinkStory] = {
    let again: [String: LinkState] = ["key": .connecting]
    return [
      LinkStory(
        "disconnected by you", .disconnected(.user), from: .withReady(), [wanted], again),
      LinkStory(
        "cancelled", .userCancelled, from: .withHeadphone(), [wanted, wanted], again),
      LinkStory(
        "keys differ", .disconnected(.micFailure), from: .withReady(),
        [link(.ended(.micFailure))], again),
      LinkStory(
        "failed", .failed(.security(.keyMissing)), from: .withReady(),
        [link(.failed(.security(.keyMissing)))], again),
      LinkStory(
        "not permitted", .permissionDenied(capability: "CAP_NET_RAW"), from: .withReady(),
        [link(.denied(capability: "CAP_NET_RAW"))], again),
      LinkStory(
        "not understood", .unsupported(missing: "FFF3"), from: .withReady(),
        [link(.unsupported(missing: "FFF3"))], again),
    ]
  }()
}
