internal import AudioRoute
package import Companion
package import HeadphoneProtocols
package import JSON

/// The headphone's volume, else that of its output at the sound server.
package struct VolumeReport: ObjectReport, Hashable {
  /// The level in %.
  package var level: Int
  /// Whether the sound is muted; ``level`` then applies after unmuting.
  package var isMuted: Bool
  /// The sound server's name of the output, or nil for the headphone's volume.
  let sink: String?

  /// Creates the report, or returns nil if the headphone has no known volume and no output.
  init?(_ headphone: HeadphoneState, in state: State) {
    if headphone.capabilities?.hasVolume == true {
      guard let volume = headphone.volume.confirmed else { return nil }
      level = Int(volume.level)
      isMuted = volume.isMuted
      sink = nil
    } else {
      guard let sink = state.audioMatch(for: headphone)?.sink else { return nil }
      level = sink.volume
      isMuted = sink.isMuted
      self.sink = sink.name
    }
  }

  package var text: String { "\(level)" }

  package func text(_ style: TextStyle) -> String {
    guard style != .plain else { return text }
    return "\(style.bar(level, .good)) \(level)%" + (isMuted ? ", muted" : "")
  }

  private enum Owner: String, JSONWord { case headphone, output }

  package static let schemaName = SchemaName("volume", "`earshot volume --json`")

  package static let properties: [Property<Self>] = [
    Property("volume", \.text, "the level as text"),
    Property("level", \.level, in: .natural, "%"),
    Property("muted", \.isMuted),
    Property(
      "of", { $0.sink == nil ? Owner.headphone : .output },
      "`headphone`: its own volume; `output`: that of its output"),
  ]
}

package struct LevelReport: ObjectReport, Hashable {
  private let level: Int?
  private let range: ClosedRange<Int>

  package init(_ headphone: HeadphoneState, _ id: SettingID) {
    if case .level(let range)? = headphone.capabilities?.declaration(of: id)?.kind {
      self.range = range.bounds
    } else {
      range = 0...0
    }
    if case .level(let level)? = headphone.setting(id).confirmed {
      self.level = level
    } else {
      level = nil
    }
  }

  package var text: String { level.map { "\($0)" } ?? "unknown" }

  package func text(_ style: TextStyle) -> String {
    style == .plain || level != nil ? text : "not reported by this headphone"
  }

  package static let schemaName = SchemaName("level", "`earshot level --json`")

  package static let properties: [Property<Self>] = [
    Property("level", \.level, "null: unknown"),
    Property("minimum", \.range.lowerBound),
    Property("maximum", \.range.upperBound),
  ]
}
