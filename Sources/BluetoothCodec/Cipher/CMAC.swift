/// AES-CMAC (RFC 4493).
///
/// - Parameters:
///   - message: of any length, also empty.
///   - key: 16 bytes, most significant first.
/// - Returns: 16 bytes, most significant first.
package func cmac(of message: [UInt8], key: [UInt8]) -> [UInt8] {
  let cipher = AES128(key: key)
  let whole = shifted(cipher.encrypt([]))
  let blocks = max(1, (message.count + 15) / 16)
  var last = Array(message[((blocks - 1) * 16)...])
  if last.count == 16 {
    last = xor(last, whole)
  } else {
    last = xor(last + [0x80] + Array(repeating: 0, count: 15 - last.count), shifted(whole))
  }
  var state = Array(repeating: UInt8(0), count: 16)
  for block in 0..<(blocks - 1) {
    state = cipher.encrypt(xor(state, Array(message[(block * 16)..<(block * 16 + 16)])))
  }
  return cipher.encrypt(xor(state, last))
}

/// The next subkey: shifted left by one bit, and reduced by 0x87 after a carry (RFC 4493, 2.3).
private func shifted(_ block: [UInt8]) -> [UInt8] {
  var carry: UInt8 = 0
  var result: [UInt8] = []
  for byte in block.reversed() {
    result.append(byte << 1 | carry)
    carry = byte >> 7
  }
  if carry == 1 { result[0] ^= 0x87 }
  return result.reversed()
}
