public import Companion
internal import HeadphoneProtocols
public import JSON
internal import Persistence

/// `earshot eq list`.
///
/// JSON of schema 1: `presets`, each with its `name` and its gains in dB.
public struct SavedEQsReport: Report, Hashable {
  private let presets: [SavedEQ]

  public init(_ presets: [SavedEQ]) { self.presets = presets }

  public var text: String {
    presets.isEmpty ? "no presets saved" : table(presets.map { ($0.name, $0.gains.displayText) })
  }

  public var json: JSON { ["schema": 1, "presets": .array(presets.map(\.json))] }
}

/// `earshot eq import`.
///
/// Text: the gains, then a line for each loss. JSON of schema 1: `bands` in dB and `losses` as
/// sentences.
public struct EQImportReport: Report, Hashable {
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

  public var json: JSON {
    [
      "schema": 1, "bands": .array(gains.map { .number($0.decibels) }),
      "losses": .array(losses.map { .string($0) }),
    ]
  }
}
