/// A small seeded generator, so that a failure can be had again
/// (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators").
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// From 0 up to `limit`, without it; 0 if there is nothing below.
  ///
  /// The bias of a plain remainder does not matter here, its speed does.
  mutating func below(_ limit: Int) -> Int {
    limit > 0 ? Int(truncatingIfNeeded: next() >> 1) % limit : 0
  }
}
