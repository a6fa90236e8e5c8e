internal import BluetoothCodec
public import FirmwareCrypto

/// A key in a file: its 32 bytes as 64 hexadecimal digits on a line.
public enum KeyFile {
  /// Reads the private key of a maker.
  public static func signingKey(at path: String) throws(FileError) -> SigningKey {
    guard let key = SigningKey(seed: try bytes(at: path)) else {
      throw .malformed(path: path, reason: "no private key")
    }
    return key
  }

  /// Reads the public key of a maker.
  public static func verifyingKey(at path: String) throws(FileError) -> VerifyingKey {
    guard let key = VerifyingKey(bytes: try bytes(at: path)) else {
      throw .malformed(path: path, reason: "no public key")
    }
    return key
  }

  /// Writes a key so that only its owner reads it; never over another one.
  public static func write(_ key: [UInt8], to path: String) throws(FileError) {
    let file = PrivateFile(path: path)
    guard try file.read() == nil else { throw .malformed(path: path, reason: "exists already") }
    try file.replace(with: Array((text(key) + "\n").utf8))
  }

  /// The digits.
  public static func text(_ key: [UInt8]) -> String {
    key.map { hexadecimal($0, width: 2) }.joined().lowercased()
  }

  private static func bytes(at path: String) throws(FileError) -> ArraySlice<UInt8> {
    guard let content = try PrivateFile(path: path).read(atMost: 4096) else {
      throw .malformed(path: path, reason: "there is no such file")
    }
    let digits = String(decoding: content, as: UTF8.self).filter { !$0.isWhitespace }
    let nibbles = digits.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
    let key = stride(from: 0, to: nibbles.count - 1, by: 2).map { index in
      UInt8(nibbles[index] << 4 | nibbles[index + 1])
    }
    guard digits.count == 2 * VerifyingKey.length, key.count == VerifyingKey.length else {
      throw .malformed(path: path, reason: "no key: 64 hexadecimal digits are wanted")
    }
    return key[...]
  }
}
