internal import AudioRoute
public import Companion
public import HeadphoneProtocols
public import JSON

/// The volume that can be set: the headphone's own, else that of its output at the sound server.
///
/// JSON of schema 1: `volume` (text), `level`, `muted`, and `of` (`headphone` or `output`).
public struct VolumeReport: Report, Hashable {
  /// %.
  public var level: Int
  /// Whether it is silent; ``level`` is then what it returns to.
  public var isMuted: Bool
  /// The sound server's name of the output; nil: it is the headphone's own volume.
  let sink: String?

  /// Creates the report; nil if the headphone has no volume of its own and no output.
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

  public var text: String { "\(level)" }

  public func text(_ style: TextStyle) -> String {
    guard style != .plain else { return text }
    return "\(style.bar(level, .good)) \(level)%" + (isMuted ? ", muted" : "")
  }

  public var json: JSON {
    [
      "schema": 1, "volume": .string("\(level)"), "level": JSON(level), "muted": .bool(isMuted),
      "of": .string(sink == nil ? "headphone" : "output"),
    ]
  }
}

/// A level of the headphone: `earshot level`.
///
/// JSON of schema 1: `level` (null: unknown), `minimum` and `maximum`.
public struct LevelReport: Report, Hashable {
  private let level: Int?
  private let range: ClosedRange<Int>

  /// - Parameter id: a setting that is a level.
  public init(_ headphone: HeadphoneState, _ id: SettingID) {
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

  public var text: String { level.map { "\($0)" } ?? "unknown" }

  public func text(_ style: TextStyle) -> String {
    style == .plain || level != nil ? text : "not reported by this headphone"
  }

  public var json: JSON {
    [
      "schema": 1, "level": JSON(level), "minimum": JSON(range.lowerBound),
      "maximum": JSON(range.upperBound),
    ]
  }
}
