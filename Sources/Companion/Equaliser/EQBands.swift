internal import Glibc
package import HeadphoneProtocols

package struct EQBands: Hashable, Sendable {
  /// The centre frequencies in Hz, in rising order.
  package var centres: [Double]
  /// Whether the frequencies are assumed from the number of bands, as the headphone reports none.
  package var isAssumed: Bool
  package var limit: BandGain
  /// The step of the gains, to which the headphone rounds.
  package var step: BandGain

  package init?(_ capabilities: Capabilities) {
    guard capabilities.eqBands > 0 else { return nil }
    (limit, step) = (capabilities.eqLimit, capabilities.eqStep)
    if capabilities.eqCentres.count == capabilities.eqBands {
      (centres, isAssumed) = (capabilities.eqCentres.map(Double.init), false)
    } else {
      (centres, isAssumed) = (Self.usual(capabilities.eqBands), true)
    }
  }

  /// Returns equal steps of pitch, or whole octaves for 8 and 10 bands, as in most equalisers.
  private static func usual(_ count: Int) -> [Double] {
    switch count {
    case 1: return [1000]
    case 8: return (0..<8).map { 62.5 * pow(2, Double($0)) }
    case 10: return (0..<10).map { 31.25 * pow(2, Double($0)) }
    default:
      return (0..<count).map { 60 * pow(16_000 / 60, Double($0) / Double(count - 1)) }
    }
  }

  /// Returns the nearest gain that a band supports, or 0 dB for NaN and infinity.
  package func gain(nearest decibels: Double) -> BandGain {
    guard decibels.isFinite else { return .flat }
    let most = Double(limit.halfDecibels / step.halfDecibels)
    let steps = (decibels / step.decibels).rounded()
    let halves = Int8(min(max(-most, steps), most)) * step.halfDecibels
    return BandGain(halfDecibels: halves) ?? .flat
  }

  package func gains(nearest gains: [BandGain]) -> [BandGain] {
    gains.map { gain(nearest: $0.decibels) }
  }

  var roundingText: String { "rounded to steps of \(stepText)" }

  /// The step as text: "0.5 dB" or "1 dB".
  package var stepText: String {
    step.halfDecibels.isMultiple(of: 2)
      ? "\(step.halfDecibels / 2) dB" : decibelText(step.decibels, sign: false)
  }

  /// Returns "63 Hz", "1 kHz" or "2.5 kHz", after "~" if assumed.
  package func title(_ band: Int) -> String {
    guard centres.indices.contains(band) else { return "" }
    return (isAssumed ? "~" : "") + frequencyText(centres[band])
  }
}

extension EQBands {
  /// Returns the frequency in Hz at a place on an axis of evenly spaced bands, 0 for the lowest.
  package func frequency(at place: Double) -> Double {
    guard centres.count > 1 else { return centres.first ?? 1000 }
    let lower = min(max(0, Int(place.rounded(.down))), centres.count - 2)
    let ratio = centres[lower + 1] / centres[lower]
    return centres[lower] * pow(ratio, place - Double(lower))
  }

  /// Returns the frequency in short: "63", "1k" or "2.5k".
  package func shortTitle(_ band: Int) -> String {
    guard centres.indices.contains(band) else { return "" }
    let text = frequencyText(centres[band])
    return text.hasSuffix(" kHz") ? text.dropLast(4) + "k" : String(text.dropLast(3))
  }
}

func frequencyText(_ hertz: Double) -> String {
  guard hertz >= 999.5 else { return "\(Int(hertz.rounded())) Hz" }
  let tenths = Int((hertz / 100).rounded())
  return tenths % 10 == 0 || tenths >= 100
    ? "\((tenths + 5) / 10) kHz" : "\(tenths / 10).\(tenths % 10) kHz"
}
