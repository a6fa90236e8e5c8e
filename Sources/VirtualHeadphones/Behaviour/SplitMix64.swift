/// A random number generator with reproducible output (Steele, Lea, Flood, 2014).
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Creates a generator that skips `count` numbers.
  package init(seed: UInt64, skipping count: UInt64 = 0) { state = seed &+ Self.step &* count }

  package mutating func next() -> UInt64 {
    state &+= Self.step
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
