internal import BluetoothCodec
public import Companion
public import HeadphoneProtocols
public import JSON

/// `earshot broadcasts`: the Auracast broadcasts nearby.
///
/// JSON of schema 1: `broadcasts`, each with `id`, `name`, `language` (ISO 639-3), `programme`,
/// `locked`, `quality` ("standard", "high"), `active` (whether there is sound), `rssi` (dBm),
/// `address`, `addressType`, `set` and `interval` (ms); null: not announced, or not reported.
public struct BroadcastsReport: Report, Hashable {
  private let broadcasts: [Broadcast]

  public init(_ broadcasts: [Broadcast]) { self.broadcasts = broadcasts }

  public var text: String { broadcasts.map(Self.line).joined(separator: "\n") }

  /// One broadcast in one line: identity, signal, name, and what it announces.
  public static func line(_ broadcast: Broadcast) -> String {
    let signal = broadcast.rssi.map { "\($0) dBm" } ?? "--"
    let padding = String(repeating: " ", count: max(0, 8 - signal.count))
    let details = [
      broadcast.lockText, broadcast.language, broadcast.qualityText, broadcast.programme,
    ]
    .compactMap(\.self)
    return "\(broadcast.id.displayText)  \(padding)\(signal)  \(broadcast.title)"
      + (details.isEmpty ? "" : "  (\(details.joined(separator: ", ")))")
  }

  public var json: JSON {
    ["schema": 1, "broadcasts": .array(broadcasts.map(\.json))]
  }
}

extension Broadcast {
  fileprivate var json: JSON {
    let qualities = features.map { features in
      JSON.array(
        [
          (features.contains(.standardQuality), "standard"),
          (features.contains(.highQuality), "high"),
        ]
        .filter(\.0).map { .string($0.1) })
    }
    return [
      "id": .string(id.displayText), "name": JSON(name), "language": JSON(language),
      "programme": JSON(programme), "locked": JSON(isLocked), "quality": qualities ?? .null,
      "active": JSON(hasSound), "rssi": JSON(rssi),
      "address": .string(address.address.description), "addressType": .string(address.kind.name),
      "set": JSON(set), "interval": JSON(interval.map { Int($0) * 5 / 4 }),
    ]
  }
}

/// `earshot broadcast`: what the headphone does with broadcasts.
///
/// JSON of schema 1: `listening`, the name of the broadcast that is played, or null; `sources`, each
/// with `id`, `name`, `side` ("left", "right", null: the whole headphone, or not reported), `state`
/// in words, `listening`, and `set`.
public struct ReceptionReport: Report, Hashable {
  private struct Source: Hashable {
    var side: Side?
    var title: String
    var state: ReceiveState

    var json: JSON {
      [
        "id": .string(state.source.broadcast.displayText), "name": .string(title),
        "side": JSON(side?.name), "state": .string(state.displayText),
        "listening": .bool(state.isPlaying), "set": JSON(state.source.set),
      ]
    }
  }

  private let listening: String?
  /// "listening to Gate B12 (Auracast), not to this computer"; nil: to no broadcast.
  let sentence: String?
  private let sources: [Source]

  /// Only what the receive states show.
  public init(_ headphone: HeadphoneState, in state: State) {
    sentence = state.broadcastText(of: headphone)
    listening = headphone.receptions.compactMap(\.playing).first.map(state.title(of:))
    sources = headphone.receptions.flatMap { reception in
      reception.sources.map {
        Source(side: reception.side, title: state.title(of: $0), state: $0)
      }
    }
  }

  public var text: String {
    let lines = sources.map { source in
      (source.side.map { "\($0.name) bud" } ?? source.title)
        + ": " + (source.side == nil ? "" : "\(source.title), ") + source.state.displayText
    }
    return ([sentence ?? "listening to no broadcast"] + lines).joined(separator: "\n")
  }

  public var json: JSON {
    ["schema": 1, "listening": JSON(listening), "sources": .array(sources.map(\.json))]
  }

  /// As `earshot status --json` has it, too.
  var reception: JSON {
    ["listening": JSON(listening), "sources": .array(sources.map(\.json))]
  }
}
