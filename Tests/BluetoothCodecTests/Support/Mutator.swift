import TestSupport

/// A generator of malformed packets from valid ones.
struct Mutator {
  private var random: SeededGenerator
  private let samples: [[UInt8]]

  /// Values at the limits of lengths, counts and signs.
  private static let edges: [UInt8] = [0x00, 0x01, 0x02, 0x7F, 0x80, 0xFE, 0xFF]

  init(samples: [[UInt8]], seed: UInt64) {
    self.samples = samples
    random = SeededGenerator(seed: seed)
  }

  /// Returns the next input: a sample with one to four errors, or something else altogether.
  mutating func next() -> [UInt8] {
    if random.below(16) == 0 { return noise(random.below(64)) }
    var bytes = sample()
    for _ in 0...random.below(4) { damage(&bytes) }
    return bytes
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    let place = random.below(bytes.count)
    switch random.below(8) {
    case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1 where !bytes.isEmpty: bytes[place] = Self.edges[random.below(Self.edges.count)]
    case 2 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: random.next())
    // A length is mostly near the front: off by one, in either direction.
    case 3 where !bytes.isEmpty: bytes[random.below(min(bytes.count, 12))] &+= 1
    case 4 where !bytes.isEmpty: bytes[random.below(min(bytes.count, 12))] &-= 1
    case 5: bytes.removeLast(bytes.count - place)
    case 6: bytes.insert(contentsOf: noise(1 + random.below(8)), at: place)
    default: bytes.replaceSubrange(place..., with: sample().suffix(1 + random.below(16)))
    }
  }

  private mutating func sample() -> [UInt8] {
    samples.isEmpty ? [] : samples[random.below(samples.count)]
  }

  private mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}
