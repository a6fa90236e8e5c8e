import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  static let broadcasts: [Golden] = [
    .screen("broadcasts") { Example.broadcasts() },
    .rows("broadcasts-scenes", unlike: { Example.broadcasts() }) {
      [
        ("none", Example.broadcasts([])),
        (
          "code",
          Example.broadcasts().changed {
            $0.dialog = .entry(TextEntry(.broadcastCode(Example.aurora, Example.lounge)))
          }
        ),
      ]
    },
    .rows("broadcasts-route", unlike: { Example.state() }) {
      [("listening", Example.broadcasts().changed { $0.page = .main })]
    },
  ]
}

extension Example {
  fileprivate static func broadcast(
    _ number: UInt32, _ name: String, _ features: PublicBroadcastAnnouncement.Features,
    _ language: String, rssi: Int8
  ) -> Broadcast {
    let address = PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5A00), .random)
    var broadcast = Broadcast(BroadcastID(rawValue: number), at: address)
    broadcast.name = name
    broadcast.features = features
    broadcast.language = language
    broadcast.rssi = rssi
    return broadcast
  }

  fileprivate static let lounge = broadcast(
    3, "Lounge", [.encrypted, .highQuality], "eng", rssi: -67)

  fileprivate static let airport = [
    broadcast(1, "Gate B12", .standardQuality, "deu", rssi: -54),
    broadcast(2, "Gate B14", [.standardQuality, .highQuality], "eng", rssi: -63), lounge,
  ]

  /// Returns the page of a headphone that listens to the first broadcast.
  fileprivate static func broadcasts(_ heard: [Broadcast] = airport) -> State {
    var state = state().with { headphone in headphone.capabilities?.hasBroadcasts = true }
    let source = BroadcastSource(airport[0].address, set: 5, airport[0].id)
    let playing = ReceiveState(1, source, .on, .none, [BroadcastSubgroup(1)])
    let actions: [Action] =
      [.pressed(.broadcasts)] + heard.map { .broadcast(.heard($0)) }
      + (heard.isEmpty
        ? [] : [.headphone(aurora, .receptionChanged(BroadcastReception(nil, [playing])))])
    for action in actions { _ = state.reduce(action, at: now) }
    return state
  }
}
