extension Battery {
  /// A level in Fast Pair's format: % in bits 0 to 6, charging in bit 7; 0x7F is unknown.
  init(fastPair byte: UInt8) {
    self.init(level: byte & Self.fastPairLevel, isCharging: byte & ~Self.fastPairLevel != 0)
  }

  private static let fastPairLevel: UInt8 = 0x7F
}
