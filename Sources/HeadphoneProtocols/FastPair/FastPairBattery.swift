extension Battery {
  /// A charge in Fast Pair's format: %, and the uppermost bit while charging; 0x7F is unknown.
  init(fastPair byte: UInt8) {
    self.init(level: byte & Self.fastPairLevel, isCharging: byte & ~Self.fastPairLevel != 0)
  }

  private static let fastPairLevel: UInt8 = 0x7F
}
