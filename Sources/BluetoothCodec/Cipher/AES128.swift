/// AES-128 encryption of single blocks (FIPS 197), not hardened against timing attacks.
package struct AES128 {
  private let roundKeys: [[UInt8]]

  /// Expands a key of 16 bytes, most significant first (FIPS 197, 5.2); others are cut or padded.
  package init(key: [UInt8]) {
    var words = Self.block(key)
    var constant: UInt8 = 1
    while words.count < 176 {
      var word = Array(words.suffix(4))
      if words.count.isMultiple(of: 16) {
        word = [word[1], word[2], word[3], word[0]].map { Self.substitution[Int($0)] }
        word[0] ^= constant
        constant = Self.doubled(constant)
      }
      for byte in word { words.append(words[words.count - 16] ^ byte) }
    }
    roundKeys = stride(from: 0, to: 176, by: 16).map { Array(words[$0..<($0 + 16)]) }
  }

  package func encrypt(_ plain: [UInt8]) -> [UInt8] {
    var state = xor(Self.block(plain), roundKeys[0])
    for round in 1...10 {
      state = (0..<16).map { Self.substitution[Int(state[($0 * 5) % 16])] }
      if round < 10 { state = Self.mixedColumns(state) }
      state = xor(state, roundKeys[round])
    }
    return state
  }

  private static func block(_ bytes: [UInt8]) -> [UInt8] {
    Array((bytes + Array(repeating: 0, count: 16)).prefix(16))
  }

  private static func mixedColumns(_ state: [UInt8]) -> [UInt8] {
    var mixed = state
    for column in stride(from: 0, to: 16, by: 4) {
      let all = state[column..<(column + 4)].reduce(0, ^)
      for row in 0..<4 {
        let next = state[column + (row + 1) % 4]
        mixed[column + row] ^= all ^ doubled(state[column + row] ^ next)
      }
    }
    return mixed
  }

  private static func doubled(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 == 0 ? 0 : 0x1B) }

  /// The S-box: the inverse in GF(2⁸) followed by an affine map, computed along the powers of 3.
  private static let substitution: [UInt8] = {
    var box = Array(repeating: UInt8(0x63), count: 256)
    var power: UInt8 = 1
    var inverse: UInt8 = 1
    repeat {
      power ^= doubled(power)
      inverse ^= inverse << 1
      inverse ^= inverse << 2
      inverse ^= inverse << 4
      if inverse & 0x80 != 0 { inverse ^= 0x09 }
      let turned = (1...4).reduce(inverse) { $0 ^ (inverse << $1 | inverse >> (8 - $1)) }
      box[Int(power)] = turned ^ 0x63
    } while power != 1
    return box
  }()
}

/// Returns the bitwise XOR of two blocks, as long as the shorter one.
func xor(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { zip(a, b).map { $0 ^ $1 } }

/// Returns the AES-CMAC (RFC 4493) of a message; key and result are 16 bytes, highest first.
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

/// Returns the next subkey: shifted left, and reduced by 0x87 after a carry (RFC 4493, 2.3).
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
