/// The name of an adapter in `--adapter` and `connection.adapter`.
package struct AdapterName: Sendable {
  /// The virtual headphones that the name stands for, or nil for an adapter of the kernel.
  package let environment: SimulatedEnvironment?
  /// Whether the virtual headphones do nothing without a command, for measurements and screenshots.
  package let isQuiet: Bool

  private static let quiet = "virtual-quiet"
  /// The names of virtual headphones.
  package static let virtual = SimulatedEnvironment.allCases.map(\.rawValue) + [quiet]

  /// Creates the name from "hci0" and so on or one of ``virtual``, or returns nil.
  package init?(_ text: String) {
    isQuiet = text == Self.quiet
    environment = isQuiet ? .own : SimulatedEnvironment(rawValue: text)
    guard environment != nil || text.hasPrefix("hci") && UInt16(text.dropFirst(3)) != nil else {
      return nil
    }
  }
}

/// A simulated environment, whose bonds and known headphones are separate from real ones.
package enum SimulatedEnvironment: String, Sendable, CaseIterable {
  case own = "virtual"
  case families = "virtual-families"
  case leAudio = "virtual-le-audio"
  case flaws = "virtual-flaws"
  case unknown = "virtual-unknown"
}
