extension Battery {
  /// A charge as Fast Pair tells it: %, and the uppermost bit where it is charging; 0x7F is unknown.
  init(fastPair byte: UInt8) {
    self.init(level: byte & Self.fastPairLevel, isCharging: byte & ~Self.fastPairLevel != 0)
  }

  private static let fastPairLevel: UInt8 = 0x7F
}
