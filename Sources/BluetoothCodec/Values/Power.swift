/// The RSSI or transmit power that means "not available".
private let noPower: Int8 = 127

extension ByteReader {
  /// Takes a power in dBm; `nil` for "not available".
  mutating func power() throws(MalformedBytes) -> Int8? {
    let value = try int8()
    return value == noPower ? nil : value
  }
}

extension [UInt8] {
  /// Appends a power in dBm, `nil` as "not available".
  mutating func append(power: Int8?) { append(UInt8(bitPattern: power ?? noPower)) }
}
