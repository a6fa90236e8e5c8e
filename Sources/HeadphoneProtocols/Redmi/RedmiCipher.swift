package import BluetoothCodec

/// The response to the challenge of Redmi's earbuds.
///
/// Earbuds do not answer without the response, although anyone can compute it. It is Bluetooth's
/// block cipher A'r (SAFER+ with the input added again before round 3; Core 5.4, Vol 2, Part H,
/// 6.1) with a fixed input.
package enum RedmiCipher {
  package static let length = 16

  private static let input: [UInt8] = [
    0x11, 0x22, 0x33, 0x33, 0x22, 0x11, 0x11, 0x22, 0x33, 0x33, 0x22, 0x11, 0x11, 0x22, 0x33, 0x33,
  ]
  private static let rounds = 8
  /// The index of the source of each byte in the shuffle of a layer.
  private static let shuffle = [8, 11, 12, 15, 2, 1, 6, 5, 10, 9, 14, 13, 0, 7, 4, 3]

  /// The powers of 45 modulo 257, with 256 as 0.
  private static let powers: [UInt8] = {
    var power = 1
    return (0..<256).map { _ in
      defer { power = power * 45 % 257 }
      return UInt8(truncatingIfNeeded: power)
    }
  }()
  private static let logarithms: [UInt8] = {
    var logarithms = [UInt8](repeating: 0, count: 256)
    for (exponent, power) in powers.enumerated() { logarithms[Int(power)] = UInt8(exponent) }
    return logarithms
  }()

  /// Returns the response to a challenge, or nil if its length is not 16 bytes.
  package static func response(to challenge: Bytes) -> [UInt8]? {
    guard challenge.count == length else { return nil }
    var key = Array(challenge)
    key[15] ^= 0x06
    let keys = roundKeys(key)
    var state = input
    for round in 0..<rounds {
      if round == 2 { state = mixed(state, input, sums: false) }
      state = mixed(state, keys[2 * round], sums: false)
      for index in 0..<length {
        let value = Int(state[index])
        state[index] = isOuter(index) ? powers[value] : logarithms[value]
      }
      state = mixed(state, keys[2 * round + 1], sums: true)
      for layer in 0..<4 {
        for index in stride(from: 0, to: length, by: 2) {
          let (first, second) = (state[index], state[index + 1])
          state[index] = first &+ first &+ second
          state[index + 1] = first &+ second
        }
        if layer < 3 { state = shuffle.map { [state] in state[$0] } }
      }
    }
    return mixed(state, keys[2 * rounds], sums: false)
  }

  /// Returns whether an index is the first or last in its group of four, which are treated
  /// differently.
  private static func isOuter(_ index: Int) -> Bool { index % 4 == 0 || index % 4 == 3 }

  /// Returns `state` with `key` added to the outer bytes and combined by exclusive or with the
  /// inner ones if `outer` is true, or else vice versa.
  private static func mixed(_ state: [UInt8], _ key: [UInt8], sums outer: Bool) -> [UInt8] {
    state.indices.map { isOuter($0) == outer ? state[$0] &+ key[$0] : state[$0] ^ key[$0] }
  }

  /// Returns two keys for each round, and one for the end.
  private static func roundKeys(_ key: [UInt8]) -> [[UInt8]] {
    var register = key + [key.reduce(0, ^)]
    var keys = [key]
    for number in 2...(2 * rounds + 1) {
      register = register.map { $0 << 3 | $0 >> 5 }
      keys.append(
        (0..<length).map { index in
          let bias = powers[Int(powers[(17 * number + index + 1) % 256])]
          return register[(number - 1 + index) % register.count] &+ bias
        })
    }
    return keys
  }
}
