import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing

/// Every state of a link with every event; unlisted events change no link.
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

/// An event that concerns a link.
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
    LinkHappening("asked", LinkStory.asked),
    LinkHappening("answered", .pairing(.closed(1, isTooLate: false))),
    LinkHappening("paired", .pairing(.ended(ear, nil))),
    LinkHappening("not paired", .pairing(.ended(ear, .security(.declined)))),
    LinkHappening("restarts", .firmware(ear, .progressed(progress(.restarting, 77_831)))),
    LinkHappening("updated", .firmware(ear, .ended(.installed(FirmwareVersion(1, 5, 0))))),
    LinkHappening("update stops", .firmware(ear, .stopped(reason: "", advice: ""))),
    LinkHappening(
      "not reset",
      .commandEnded(
        ear, .factoryReset, CommandToken(rawValue: 1), .failed(.refused(.notPermitted)))),
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

/// A state of a link, the actions that lead there, and the state after each event.
struct LinkStory: Sendable, CustomTestStringConvertible {
  var title: String
  var link: LinkState
  var scenario: Scenario
  /// The next state by the event's title.
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
    .reconnecting(Retry(attempt: attempt, after: reason))
  }

  private static func link(_ event: LinkEvent) -> Action { .link(ear, event) }

  /// The headphone requests pairing.
  static let asked = Action.pairing(
    .asked(
      ear,
      PairingAgent.Question(
        id: 1, peer: randomPeer("F0:F1:F2:F3:F4:F5"), request: .consent, hint: nil,
        limit: .seconds(25))))

  /// Returns the changes of a wanted link without a channel when the adapter disappears.
  private static func waits(_ policy: RetryPolicy = .backoff(failures: 0)) -> [String: LinkState] {
    [
      "adapter off": .pending(.waitingForBluetooth(.power), policy),
      "adapter blocked": .pending(.waitingForBluetooth(.unblocking), policy),
      "adapter gone": .pending(.waitingForBluetooth(.adapter), policy),
    ]
  }

  private static let cancels: [String: LinkState] = [
    "key": .unwanted(.userCancelled), "Esc": .unwanted(.userCancelled),
  ]

  /// All ends of an attempt or link.
  private static let ends: [String: LinkState] = [
    "peer": lost(.peer), "out of range": lost(.timeout),
    "MIC failure": .unwanted(.disconnected(.micFailure)),
    "failed": .unwanted(.failed(.security(.keyMissing))),
    "denied": .unwanted(.permissionDenied(capability: "CAP_NET_RAW")),
    "unsupported": .unwanted(.unsupported(missing: "FFF3")),
  ]

  /// An adapter without room for this link has none of ours: the attempt is repeated later.
  private static let room: [String: LinkState] = [
    "no room": lost(.busy("the adapter is at its connection limit"))
  ]

  static let all: [LinkStory] = beginnings + starts + services + pauses + endings

  private static let wanted: Action = .pressed(.connectOrDisconnect)

  private static let beginnings: [LinkStory] = [
    LinkStory("idle", .unwanted(.idle), from: .withHeadphone(), [], ["key": .pending(.connecting)]),
    LinkStory(
      "waiting for an adapter", .pending(.waitingForBluetooth(.adapter)), from: .withHeadphone(),
      [.adapterChanged(.absent), wanted], cancels, waits(),
      ["adapter on": .pending(.connecting)]),
    LinkStory(
      "Bluetooth is off", .pending(.waitingForBluetooth(.power)), from: .withHeadphone(),
      [wanted, .adapterChanged(.off(adapter: "hci0"))],
      [
        "adapter gone": .pending(.waitingForBluetooth(.adapter)),
        "adapter blocked": .pending(.waitingForBluetooth(.unblocking)),
        "adapter on": .pending(.connecting),
      ]),
    LinkStory(
      "blocked by rfkill", .pending(.waitingForBluetooth(.unblocking)), from: .withHeadphone(),
      [wanted, .adapterChanged(.blocked(adapter: "hci0"))], cancels,
      [
        "adapter gone": .pending(.waitingForBluetooth(.adapter)),
        "adapter off": .pending(.waitingForBluetooth(.power)),
        "adapter on": .pending(.connecting),
      ]),
    LinkStory(
      "waiting for its turn", .pending(.waitingForBluetooth(.turn)), from: .withHeadphone(),
      [
        .discovered(peripheral(bud, name: "Bud")), .pressed(.nextHeadphone), wanted,
        .pressed(.previousHeadphone), wanted,
      ], cancels, waits()),
    LinkStory(
      "scanning for it", .pending(.scanning), from: .withAdapter(),
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
      ], cancels, waits(),
      [
        "seen": .pending(.connecting), "scan ends": lost(.connectTimeout),
        "scan denied": .pending(.waitingForBluetooth(.permission(capability: "CAP_NET_RAW"))),
      ]),
    LinkStory(
      "connecting", .pending(.connecting), from: .withHeadphone(), [wanted], cancels, waits(), ends,
      room, ["connected": .connected(.starting(.discoveringServices))]),
  ]

  private static let starts: [LinkStory] = {
    let begun = [wanted, link(.connected)]
    func start(_ title: String, _ phase: StartPhase, _ actions: [Action]) -> LinkStory {
      LinkStory(
        title, .connected(.starting(phase)), from: .withHeadphone(), begun + actions, cancels, ends,
        [
          "ready": .connected(.ready), "subscribes": .connected(.starting(.subscribing)),
          "asked": .connected(.pairing(during: phase)),
        ])
    }
    return [
      start("discovering services", .discoveringServices, []),
      start(
        "discovering characteristics", .discoveringCharacteristics,
        [.headphone(ear, .starting(.discoveringCharacteristics))]),
      start("subscribing", .subscribing, [.headphone(ear, .starting(.subscribing))]),
      LinkStory(
        "asked before it is ready", .connected(.pairing(during: .discoveringServices)),
        from: .withHeadphone(), begun + [asked], ends,
        [
          "subscribes": .connected(.pairing(during: .subscribing)), "ready": .connected(.ready),
          "answered": .connected(.starting(.discoveringServices)),
          "paired": .connected(.starting(.discoveringServices)),
        ]),
    ]
  }()

  private static let services: [LinkStory] = [
    LinkStory(
      "ready", .connected(.ready), from: .withReady(), [], ends,
      ["key": .unwanted(.disconnected(.user)), "asked": .connected(.pairing())]),
    LinkStory(
      "pairing on request", .connected(.pairing()), from: .withReady(), [.pressed(.pair)], cancels,
      ends,
      [
        "paired": .connected(.ready), "not paired": .pending(.connecting),
        "ready": .connected(.ready),
      ]),
    LinkStory(
      "updating", .connected(.firmwareUpdate), from: .withUpdate(), [.pressed(.back)], ends,
      [
        "key": .unwanted(.disconnected(.user)), "updated": .connected(.ready),
        "update stops": .connected(.ready), "restarts": .firmwareRestarting(),
      ]),
    LinkStory(
      "resetting", .connected(.factoryReset), from: .withReset(), [], ends,
      [
        "key": .unwanted(.disconnected(.user)), "peer": .unwanted(.idle),
        "out of range": .unwanted(.idle), "MIC failure": .unwanted(.idle),
        "not reset": .connected(.ready),
      ]),
  ]

  /// The policy after one failure.
  private static let again = RetryPolicy.backoff(failures: 1)

  private static let restarts: [Action] = [
    .pressed(.back), .firmware(ear, .progressed(progress(.restarting, 77_831))),
  ]

  private static let pauses: [LinkStory] = [
    LinkStory(
      "waiting for room", .pending(.waitingForBluetooth(.room)), from: .withHeadphone(),
      [
        .discovered(peripheral(bud, name: "Bud")), .pressed(.nextHeadphone), wanted,
        .link(bud, .connected), .pressed(.previousHeadphone), wanted, link(.noRoom),
        .pressed(.back),
      ], cancels, waits()),
    LinkStory(
      "reconnecting after an absence", lost(.timeout), from: .withReady(),
      [link(.ended(.timeout))], cancels, waits(again),
      ["retry": .pending(.connecting, again), "seen": .pending(.connecting, again)]),
    LinkStory(
      "reconnecting after a refusal", lost(.refused), from: .withReady(),
      [link(.ended(.refused))], cancels, waits(again), ["retry": .pending(.connecting, again)]),
    LinkStory(
      "restarting", .firmwareRestarting(), from: .withUpdate(), restarts, cancels,
      waits(.restart(failures: 0)), ends,
      [
        "peer": .firmwareRestarting(Retry(attempt: 1, after: .peer)),
        "out of range": .firmwareRestarting(Retry(attempt: 1, after: .timeout)),
      ]),
    LinkStory(
      "restarting without a link", .firmwareRestarting(Retry(attempt: 1, after: .peer)),
      from: .withUpdate(), restarts + [link(.ended(.peer))], cancels,
      waits(.restart(failures: 1)), ends,
      [
        "retry": .pending(.connecting, .restart(failures: 1)),
        "peer": .firmwareRestarting(Retry(attempt: 2, after: .peer)),
        "out of range": .firmwareRestarting(Retry(attempt: 2, after: .timeout)),
      ]),
    LinkStory(
      "connecting after a restart", .pending(.connecting, .restart(failures: 5)),
      from: .withUpdate(),
      restarts + [link(.ended(.peer))]
        + (0..<4).flatMap { _ in
          [.timerFired(.reconnect(ear)), link(.ended(.connectTimeout))] as [Action]
        } + [.timerFired(.reconnect(ear))],
      cancels, waits(.restart(failures: 5)), ends,
      [
        "connected": .connected(.starting(.discoveringServices), .restart(failures: 5)),
        "no room": lost(.busy("the adapter is at its connection limit"), attempt: 6),
        "peer": lost(.peer, attempt: 6), "out of range": lost(.timeout, attempt: 6),
      ]),
  ]

  /// An ended link stays ended until the user connects again.
  private static let endings: [LinkStory] = {
    let again: [String: LinkState] = ["key": .pending(.connecting)]
    return [
      LinkStory(
        "disconnected by you", .unwanted(.disconnected(.user)), from: .withReady(), [wanted], again),
      LinkStory(
        "cancelled", .unwanted(.userCancelled), from: .withHeadphone(), [wanted, wanted], again),
      LinkStory(
        "keys differ", .unwanted(.disconnected(.micFailure)), from: .withReady(),
        [link(.ended(.micFailure))], again),
      LinkStory(
        "failed", .unwanted(.failed(.security(.keyMissing))), from: .withReady(),
        [link(.failed(.security(.keyMissing)))], again),
      LinkStory(
        "not permitted", .unwanted(.permissionDenied(capability: "CAP_NET_RAW")),
        from: .withReady(),
        [link(.denied(capability: "CAP_NET_RAW"))], again),
      LinkStory(
        "not understood", .unwanted(.unsupported(missing: "FFF3")), from: .withReady(),
        [link(.unsupported(missing: "FFF3"))], again),
    ]
  }()
}
