/// A sound correction in the format of AutoEq and EqualizerAPO: filters and a preamp.
package struct ParametricEQ: Hashable, Sendable {
  /// The gain of all frequencies in dB.
  package var preamp: Double
  package var filters: [Filter]
  /// The parts of the text that were left out, in words with line numbers.
  package var omissions: [String]

  package init(preamp: Double = 0, filters: [Filter], omissions: [String] = []) {
    self.preamp = preamp
    self.filters = filters
    self.omissions = omissions
  }

  /// A biquad of the Audio EQ Cookbook, with frequency in Hz and gain in dB.
  package struct Filter: Hashable, Sendable {
    package enum Shape: Hashable, Sendable { case peak, lowShelf, highShelf }
    package enum Width: Hashable, Sendable {
      /// The Q of a peak or shelf; a higher value is narrower.
      case quality(Double)
      /// The slope of a shelf; 1 is the steepest without overshoot.
      case slope(Double)
    }

    package var shape: Shape
    package var frequency: Double
    package var gain: Double
    package var width: Width

    package init(_ shape: Shape, frequency: Double, gain: Double, width: Width) {
      self.shape = shape
      self.frequency = frequency
      self.gain = gain
      self.width = width
    }
  }

  package func response(at frequency: Double) -> Double {
    filters.reduce(preamp) { $0 + Biquad($1).decibels(at: frequency) }
  }
}

package struct ParametricEQError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  package var line: Int
  package var reason: String

  package init(line: Int, _ reason: String) {
    self.line = line
    self.reason = reason
  }

  package var description: String { "line \(line): \(reason)" }
}
