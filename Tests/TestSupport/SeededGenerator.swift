/// A small seeded generator for reproducible failures (SplitMix64; Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators").
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a number below `limit`, or 0 if there is none.
  ///
  /// The bias of a plain remainder does not matter here, but its speed does.
  package mutating func below(_ limit: Int) -> Int {
    limit > 0 ? Int(truncatingIfNeeded: next() >> 1) % limit : 0
  }
}

extension [UInt8] {
  /// Returns this value with a few bytes changed, dropped, doubled or added.
  package func mutated(by generator: inout SeededGenerator) -> [UInt8] {
    var bytes = self
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let at = Int.random(in: 0...bytes.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &generator)
      case 1 where at < bytes.count: bytes.remove(at: at)
      case 2: bytes = Array(bytes.prefix(at))
      default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: at)
      }
    }
    return bytes
  }
}
