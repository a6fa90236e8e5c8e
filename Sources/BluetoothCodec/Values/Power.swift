/// The RSSI or transmit power that means "not available".
private let noPower: Int8 = 127

extension ByteReader {
  mutating func power() throws(MalformedBytes) -> Int8? {
    let value = try int8()
    return value == noPower ? nil : value
  }
}

extension [UInt8] {
  mutating func append(power: Int8?) { append(UInt8(bitPattern: power ?? noPower)) }
}
