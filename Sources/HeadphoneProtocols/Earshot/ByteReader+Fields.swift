internal import BluetoothCodec

extension ByteReader {
  mutating func value<T: RawRepresentable<UInt8>>(of type: T.Type) throws(MalformedBytes) -> T {
    let raw = try uint8()
    guard let value = T(rawValue: raw) else { throw impossible(raw) }
    return value
  }

  mutating func flag() throws(MalformedBytes) -> Bool { try uint8(in: 0...1) == 1 }

  mutating func uint8(in range: ClosedRange<UInt8>) throws(MalformedBytes) -> UInt8 {
    let raw = try uint8()
    guard range.contains(raw) else { throw impossible(raw) }
    return raw
  }

  mutating func gains() throws(MalformedBytes) -> [BandGain] {
    let count = Int(try uint8())
    var gains: [BandGain] = []
    for _ in 0..<count {
      let raw = try uint8()
      guard let gain = BandGain(halfDecibels: Int8(bitPattern: raw)) else { throw impossible(raw) }
      gains.append(gain)
    }
    return gains
  }

  func impossible(_ raw: UInt8) -> MalformedBytes {
    malformed(.badValue(UInt64(raw)), at: offset - 1)
  }
}

package func encodedGains(_ gains: [BandGain]) -> [UInt8] {
  let sent = gains.prefix(Int(UInt8.max))
  return [UInt8(sent.count)] + sent.map { UInt8(bitPattern: $0.halfDecibels) }
}
