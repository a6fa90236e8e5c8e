public import Companion
internal import HeadphoneProtocols
public import JSON
internal import Persistence

/// `earshot eq list`.
///
/// Text: a preset a line, "*" before the one in use.
public struct EQPresetsReport: ObjectReport, Hashable {
  private let saved: [SavedEQ]
  private let own: [String]?
  private let current: String?
  private let gains: [BandGain]?

  /// - Parameter headphone: nil: none is in reach.
  public init(_ saved: [SavedEQ], of headphone: HeadphoneState?) {
    self.saved = saved
    own = headphone?.presets
    if case .choice(let name)? = headphone?.setting(.equaliserPreset).confirmed {
      current = name
    } else {
      current = nil
    }
    gains = headphone?.gainsInForce
  }

  public var text: String { text(.plain) }

  public func text(_ style: TextStyle) -> String {
    let rows =
      (own ?? []).map { [$0 == current ? "*" : "", $0, "the headphone's own"] }
      + saved.map { [$0.gains == gains ? "*" : "", displayable($0.name), $0.gains.displayText] }
    return rows.isEmpty ? "no presets" : style.table(["", "preset", "gains"], rows)
  }

  public static let schemaName = SchemaName("eq-list", "`earshot eq list --json`")

  public static let properties: [Property<Self>] = [
    Property("presets", \.saved, "the saved ones"),
    Property("headphone", \.own, "the names of the headphone's own; null: it is out of reach"),
  ]
}

extension HeadphoneState {
  /// The names of the headphone's own equaliser presets, which its protocol may declare.
  public var presets: [String] { capabilities?.declaration(of: .equaliserPreset)?.words ?? [] }
}

/// `earshot eq import`.
///
/// Text: the gains, then a line for each loss.
public struct EQImportReport: ObjectReport, Hashable {
  private let gains: [BandGain]
  private let losses: [String]

  /// - Parameter fit: nil: the headphone disconnected meanwhile.
  public init(_ fit: EQFit?) {
    gains = fit?.gains ?? []
    losses = fit?.losses ?? []
  }

  public var text: String {
    ([gains.displayText] + (losses.isEmpty ? ["nothing is lost"] : losses)).joined(separator: "\n")
  }

  public static let schemaName = SchemaName("eq-import", "`earshot eq import --json`")

  public static let properties: [Property<Self>] = [
    Property("bands", \.gains, "dB, from low to high"),
    Property("losses", \.losses, "in words"),
  ]
}
