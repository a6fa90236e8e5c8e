public import BluetoothCodec

/// The Set Identity Resolving Key (SIRK) of a coordinated set (CSIS 1.0, 5.1).
public struct SetKey: Hashable, Sendable {
  private let key: SecretKey

  /// Creates a key from 16 bytes, least significant first, or returns nil for another length.
  public init?(_ bytes: Bytes) {
    guard let key = SecretKey(bytes) else { return nil }
    self.key = key
  }

  /// The 16 bytes, which must be stored where only their owner can read them.
  public var bytes: [UInt8] { key.bytes }

  /// Returns whether a member of this set advertises an identifier of 6 bytes: a hash and the
  /// hashed random number, 24 bits each (CSIS 1.0, 4.8).
  public func resolves(_ identifier: Bytes) -> Bool {
    var reader = ByteReader(identifier, of: "set identifier")
    guard let hash = try? reader.uint24(), let random = try? reader.uint24(), reader.isAtEnd
    else { return false }
    return key.hash(of: random) == hash
  }

  /// Returns the Resolvable Set Identifier for a random number of 22 bits, below the bits 01.
  public func identifier(random: UInt32) -> [UInt8] {
    let random = random & 0x3F_FFFF | 0x40_0000
    return [key.hash(of: random), random].flatMap { value in
      [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
  }

  /// Returns the key encrypted or decrypted with a link's long term key, which is the same
  /// operation (`sef` and `sdf`; CSIS 1.0, 4.5 and 4.6).
  public func converted(by longTermKey: SecretKey) -> SetKey {
    let salt = cmac(of: Array("SIRKenc".utf8), key: Self.zero)
    let inner = cmac(of: longTermKey.bytes.reversed(), key: salt)
    let mask = cmac(of: Array("csis".utf8), key: inner)
    let converted = zip(bytes, mask.reversed()).map { $0 ^ $1 }
    return SetKey(converted[...]) ?? self
  }

  private static let zero = [UInt8](repeating: 0, count: 16)
}

/// The value of Set Identity Resolving Key (2B84; CSIS 1.0, 5.1).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | 0 encrypted, 1 plain |
/// | 1 | 16 | key, least significant byte first |
public enum ReceivedSetKey: Hashable, Sendable {
  case plain(SetKey)
  /// A key to be decrypted with the long term key of the link on which it was read.
  case encrypted(SetKey)

  /// Decodes a type, 0 or 1, and a key of 16 bytes.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "set key")
    let isPlain = try reader.flag()
    let rest = reader.rest()
    guard let key = SetKey(rest) else {
      throw reader.malformed(.badLength(rest.count), at: 1)
    }
    self = isPlain ? .plain(key) : .encrypted(key)
  }
}
