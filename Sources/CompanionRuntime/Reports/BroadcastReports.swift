internal import BluetoothCodec
package import Companion
package import HeadphoneProtocols
package import JSON

package struct BroadcastsReport: ObjectReport, Hashable {
  private let broadcasts: [Broadcast]

  package init(_ broadcasts: [Broadcast]) { self.broadcasts = broadcasts }

  package var text: String { broadcasts.map(Self.line).joined(separator: "\n") }

  /// Returns one broadcast as a line: identity, signal, name and properties.
  package static func line(_ broadcast: Broadcast) -> String {
    let signal = broadcast.rssi.map { "\($0) dBm" } ?? "--"
    let padding = String(repeating: " ", count: max(0, 8 - signal.count))
    let details = [
      broadcast.lockText, broadcast.languageText, broadcast.qualityText, broadcast.programme,
    ]
    .compactMap(\.self)
    return "\(broadcast.id.displayText)  \(padding)\(signal)  \(broadcast.title)"
      + (details.isEmpty ? "" : "  (\(details.joined(separator: ", ")))")
  }

  package static let schemaName = SchemaName("broadcasts", "`earshot broadcasts --json`")

  package static let properties: [Property<Self>] = [Property("broadcasts", \.broadcasts)]
}

private let setMeaning = "of the advertisements, 0 to 15"

extension Broadcast: NamedJSONObject {
  private enum Quality: String, JSONWord { case standard, high }

  private var qualities: [Quality]? {
    features.map { features in
      [
        (PublicBroadcastAnnouncement.Features.standardQuality, Quality.standard),
        (.highQuality, .high),
      ]
      .filter { features.contains($0.0) }.map(\.1)
    }
  }

  package static let schemaName = SchemaName(
    "broadcast-source", "A broadcast nearby; null: not announced, or not reported.")

  package static let properties: [Property<Self>] = [
    Property("id", \.id),
    Property("name", \.name),
    Property("language", \.language, "ISO 639-3"),
    Property("programme", \.programme),
    Property("locked", \.isLocked),
    Property("quality", \.qualities),
    Property("active", \.hasSound, "whether there is sound"),
    Property("rssi", \.rssi, "dBm"),
    Property("address", \.address.address),
    Property("addressType", \.address.kind),
    Property("set", \.set, setMeaning),
    Property("interval", { $0.interval.map { Int($0) * 5 / 4 } }, "ms"),
  ]
}

/// The report of `earshot broadcast`: what the headphone does with broadcasts.
package struct ReceptionReport: ObjectReport, Hashable {
  private struct Source: NamedJSONObject, Hashable {
    var side: Side?
    var title: String
    var state: ReceiveState

    static let schemaName = SchemaName(
      "broadcast-reception", "What a headphone or bud does with a broadcast.")

    static let properties: [Property<Self>] = [
      Property("id", \.state.source.broadcast),
      Property("name", \.title),
      Property("side", \.side, "null: the whole headphone, or not reported"),
      Property("state", \.state.displayText, "in words"),
      Property("listening", \.state.isPlaying),
      Property("set", \.state.source.set, setMeaning),
    ]
  }

  private let listening: String?
  /// "listening to Gate B12 (Auracast), not to this computer", or nil if it plays no broadcast.
  let sentence: String?
  private let sources: [Source]

  /// Creates the report from the receive states only.
  package init(_ headphone: HeadphoneState, in state: State) {
    sentence = state.broadcastText(of: headphone)
    listening = headphone.receptions.compactMap(\.playing).first.map(state.title(of:))
    sources = headphone.receptions.flatMap { reception in
      reception.sources.map {
        Source(side: reception.side, title: state.title(of: $0), state: $0)
      }
    }
  }

  package var text: String {
    let lines = sources.map { source in
      (source.side.map { "\($0.name) bud" } ?? source.title)
        + ": " + (source.side == nil ? "" : "\(source.title), ") + source.state.displayText
    }
    return ([sentence ?? "listening to no broadcast"] + lines).joined(separator: "\n")
  }

  package static let schemaName = SchemaName("broadcast", "`earshot broadcast --json`")

  package static let properties: [Property<Self>] = [
    Property("listening", \.listening, "the name of the broadcast that is played; null: none"),
    Property("sources", \.sources),
  ]
}
