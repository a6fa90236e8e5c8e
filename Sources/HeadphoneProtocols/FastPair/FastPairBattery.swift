extension Battery {
  /// Creates a battery from Fast Pair's format: % in bits 0 to 6 (0x7F unknown), charging in bit 7.
  init(fastPair byte: UInt8) {
    self.init(level: byte & Self.fastPairLevel, isCharging: byte & ~Self.fastPairLevel != 0)
  }

  private static let fastPairLevel: UInt8 = 0x7F
}
