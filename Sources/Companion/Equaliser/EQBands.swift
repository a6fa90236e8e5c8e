internal import Glibc
public import HeadphoneProtocols

/// The bands of a headphone's own equaliser.
public struct EQBands: Hashable, Sendable {
  /// Hz, from low to high.
  public var centres: [Double]
  /// Whether the headphone does not report its frequencies: these are the usual ones for the count.
  public var isAssumed: Bool
  /// The most that each is raised or lowered by.
  public var limit: BandGain

  /// Nil: the headphone has no bands of its own.
  public init?(_ capabilities: Capabilities) {
    guard capabilities.eqBands > 0 else { return nil }
    limit = capabilities.eqLimit
    if capabilities.eqCentres.count == capabilities.eqBands {
      (centres, isAssumed) = (capabilities.eqCentres.map(Double.init), false)
    } else {
      (centres, isAssumed) = (Self.usual(capabilities.eqBands), true)
    }
  }

  /// Equal steps of pitch; whole octaves for 8 and 10 bands, as most equalisers have them.
  private static func usual(_ count: Int) -> [Double] {
    switch count {
    case 1: return [1000]
    case 8: return (0..<8).map { 62.5 * pow(2, Double($0)) }
    case 10: return (0..<10).map { 31.25 * pow(2, Double($0)) }
    default:
      return (0..<count).map { 60 * pow(16_000 / 60, Double($0) / Double(count - 1)) }
    }
  }

  /// "63 Hz", "1 kHz", "2.5 kHz"; with "~" where it is assumed.
  public func title(_ band: Int) -> String {
    guard centres.indices.contains(band) else { return "" }
    return (isAssumed ? "~" : "") + frequencyText(centres[band])
  }
}

extension EQBands {
  /// "63", "1k", "2.5k": the frequency alone, where there is no room for more.
  public func shortTitle(_ band: Int) -> String {
    guard centres.indices.contains(band) else { return "" }
    let text = frequencyText(centres[band])
    return text.hasSuffix(" kHz") ? text.dropLast(4) + "k" : String(text.dropLast(3))
  }
}

/// "63 Hz", "2.5 kHz".
func frequencyText(_ hertz: Double) -> String {
  guard hertz >= 999.5 else { return "\(Int(hertz.rounded())) Hz" }
  let tenths = Int((hertz / 100).rounded())
  return tenths % 10 == 0 || tenths >= 100
    ? "\((tenths + 5) / 10) kHz" : "\(tenths / 10).\(tenths % 10) kHz"
}
