/// The evidence for a feature of a family, computed from the recordings in the tests.
public struct Evidence: Hashable, Sendable {
  /// The kinds of evidence, from the weakest to the strongest.
  public enum Proof: String, Hashable, Sendable, CaseIterable {
    /// A headphone has reported a value.
    case read
    /// A program has sent the command to a headphone.
    case set
    /// The headphone has reported the value that was set.
    case confirmed
  }

  /// The models with each kind of recording, alphabetically; an empty list if no source names them.
  public var models: [Proof: [String]]

  /// The strongest evidence, or nil for a layout that is published but not recorded.
  public var strongest: Proof? { Proof.allCases.last { models[$0] != nil } }

  /// Whether no command was recorded.
  public var isUntried: Bool { strongest.map { $0 == .read } ?? true }

  public init(_ models: [Proof: [String]] = [:]) { self.models = models }
}

extension Evidence {
  static let recorded: [String: [String: Evidence]] = {
    var all: [String: [String: Evidence]] = [:]
    for line in recordedLines.split(separator: "\n") {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      guard columns.count == 4, let proof = Proof(rawValue: columns[2]) else { continue }
      let models = columns[3].split(separator: ";").map(String.init)
      all[columns[0], default: [:]][columns[1], default: Evidence()].models[proof] = models
    }
    return all
  }()
}

extension HeadphoneFamily {
  /// The name of a maker's protocol as drivers report it, or nil for other families.
  package var protocolName: String? {
    self == .airpods ? AACPProtocol.name : serialProtocol?.name ?? gattProtocol?.name
  }

  /// Creates the family of a maker by ``protocolName``, or fails for other names.
  package init?(protocolName: String) {
    guard let found = Self.allCases.first(where: { $0.protocolName == protocolName }) else {
      return nil
    }
    self = found
  }

  /// Returns the evidence for a setting.
  public func evidence(of id: SettingID) -> Evidence { evidence(of: id.rawValue) }

  /// Returns the evidence for a setting, or for another feature such as "battery".
  package func evidence(of feature: String) -> Evidence {
    Evidence.recorded[rawValue]?[feature] ?? Evidence()
  }
}
