/// A sound correction in the format of AutoEq and EqualizerAPO: filters and a preamp.
///
/// ```
/// Preamp: -6.2 dB
/// Filter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.70
/// Filter 2: ON HSC Fc 10000 Hz Gain 2.0 dB Q 0.70
/// ```
public struct ParametricEQ: Hashable, Sendable {
  /// The gain of all frequencies in dB.
  public var preamp: Double
  /// The filters, whose curves add up.
  public var filters: [Filter]
  /// The parts of the text that were left out, in words with line numbers.
  public var omissions: [String]

  public init(preamp: Double = 0, filters: [Filter], omissions: [String] = []) {
    self.preamp = preamp
    self.filters = filters
    self.omissions = omissions
  }

  /// A biquad of the Audio EQ Cookbook.
  public struct Filter: Hashable, Sendable {
    /// The shape of a filter's curve.
    public enum Shape: Hashable, Sendable { case peak, lowShelf, highShelf }
    /// The width of a filter.
    public enum Width: Hashable, Sendable {
      /// The Q of a peak or shelf; a higher value is narrower.
      case quality(Double)
      /// The slope of a shelf; 1 is the steepest without overshoot.
      case slope(Double)
    }

    public var shape: Shape
    /// The frequency in Hz.
    public var frequency: Double
    /// The gain in dB.
    public var gain: Double
    public var width: Width

    public init(_ shape: Shape, frequency: Double, gain: Double, width: Width) {
      self.shape = shape
      self.frequency = frequency
      self.gain = gain
      self.width = width
    }
  }

  /// Returns the gain in dB at `frequency`.
  public func response(at frequency: Double) -> Double {
    filters.reduce(preamp) { $0 + Biquad($1).decibels(at: frequency) }
  }
}

/// A mistake in the text of a parametric equaliser.
public struct ParametricEQError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  public var line: Int
  /// The mistake in words, with a quote of the text.
  public var reason: String

  public init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  public var description: String { "line \(line): \(reason)" }
}
