/// A sound correction as AutoEq and EqualizerAPO write it: filters, and one gain for all.
///
/// ```
/// Preamp: -6.2 dB
/// Filter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.70
/// Filter 2: ON HSC Fc 10000 Hz Gain 2.0 dB Q 0.70
/// ```
public struct ParametricEQ: Hashable, Sendable {
  /// dB.
  public var preamp: Double
  /// The filters in the order of the text; their curves add up.
  public var filters: [Filter]
  /// What stands in the text and is not part of this, in words with line numbers.
  public var omissions: [String]

  public init(preamp: Double = 0, filters: [Filter], omissions: [String] = []) {
    self.preamp = preamp
    self.filters = filters
    self.omissions = omissions
  }

  /// A biquad of the Audio EQ Cookbook.
  public struct Filter: Hashable, Sendable {
    /// What the curve of a filter looks like.
    public enum Shape: Hashable, Sendable { case peak, lowShelf, highShelf }
    /// How wide a filter reaches.
    public enum Width: Hashable, Sendable {
      /// Q of a peak or a shelf: the higher, the narrower.
      case quality(Double)
      /// The slope of a shelf; 1 is the steepest that does not overshoot.
      case slope(Double)
    }

    /// What its curve looks like.
    public var shape: Shape
    /// Hz.
    public var frequency: Double
    /// dB.
    public var gain: Double
    /// How wide it reaches around ``frequency``.
    public var width: Width

    public init(_ shape: Shape, frequency: Double, gain: Double, width: Width) {
      self.shape = shape
      self.frequency = frequency
      self.gain = gain
      self.width = width
    }
  }

  /// The gain at a frequency, in dB.
  public func response(at frequency: Double) -> Double {
    filters.reduce(preamp) { $0 + Biquad($1).decibels(at: frequency) }
  }
}

/// Why a text is no parametric equaliser, and where.
public struct ParametricEQError: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  public var line: Int
  /// The mistake in words, with the text that was read instead.
  public var reason: String

  public init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  public var description: String { "line \(line): \(reason)" }
}
