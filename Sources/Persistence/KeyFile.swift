internal import BluetoothCodec
package import FirmwareCrypto
internal import Glibc

/// Reading and writing of Ed25519 key files: 32 bytes as 64 hexadecimal digits on a line.
package enum KeyFile {
  package static func signingKey(at path: String) throws(FileError) -> SigningKey {
    guard let key = SigningKey(seed: try bytes(at: path)) else {
      throw .malformed(path: path, reason: "no private key")
    }
    return key
  }

  package static func verifyingKey(at path: String) throws(FileError) -> VerifyingKey {
    guard let key = VerifyingKey(bytes: try bytes(at: path)) else {
      throw .malformed(path: path, reason: "no public key")
    }
    return key
  }

  /// Writes a key pair to the new files NAME.key and NAME.pub, which only their owner can read.
  package static func write(_ key: SigningKey, to name: String) throws(FileError) {
    let pair = [("\(name).key", key.seed), ("\(name).pub", key.verifyingKey.bytes)]
    for (path, _) in pair where access(path, F_OK) == 0 {
      throw .malformed(path: path, reason: "already exists; choose another name")
    }
    var written: [PrivateFile] = []
    do throws(FileError) {
      for (path, bytes) in pair {
        let file = PrivateFile(path: path)
        try file.create(with: Array((text(bytes) + "\n").utf8))
        written.append(file)
      }
    } catch {
      for file in written { try? file.remove() }
      throw error
    }
  }

  /// Returns the lower-case hexadecimal digits of a key or a digest.
  package static func text(_ key: [UInt8]) -> String {
    key.map { hexadecimal($0, width: 2) }.joined().lowercased()
  }

  private static func bytes(at path: String) throws(FileError) -> ArraySlice<UInt8> {
    let content: [UInt8]?
    do throws(FileError) { content = try PrivateFile(path: path).read(atMost: longest) } catch {
      if case .malformed = error { throw noKey(path) }
      throw error
    }
    guard let content else { throw .malformed(path: path, reason: "there is no such file") }
    let digits = String(decoding: content, as: UTF8.self).filter { !$0.isWhitespace }
    let nibbles = digits.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
    let key = stride(from: 0, to: nibbles.count - 1, by: 2).map { index in
      UInt8(nibbles[index] << 4 | nibbles[index + 1])
    }
    guard digits.count == 2 * VerifyingKey.length, key.count == VerifyingKey.length else {
      throw noKey(path)
    }
    return key[...]
  }

  private static let longest = 4096

  private static func noKey(_ path: String) -> FileError {
    .malformed(path: path, reason: "not a key: expected 64 hexadecimal digits")
  }
}
