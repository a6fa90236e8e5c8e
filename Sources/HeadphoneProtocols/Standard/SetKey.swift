public import BluetoothCodec

/// What the members of a coordinated set share, and by which each is known on the air: the Set
/// Identity Resolving Key (CSIS 1.0, 5.1).
public struct SetKey: Hashable, Sendable {
  private let key: SecretKey

  /// Nil unless there are 16 bytes, the least significant first.
  public init?(_ bytes: Bytes) {
    guard let key = SecretKey(bytes) else { return nil }
    self.key = key
  }

  /// 16 bytes, to be stored where only the owner can read them.
  public var bytes: [UInt8] { key.bytes }

  /// Whether a member of this set advertises so: a hash, then what it is the hash of, 24 bits each
  /// (CSIS 1.0, 4.8).
  public func resolves(_ identifier: Bytes) -> Bool {
    var reader = ByteReader(identifier, of: "set identifier")
    guard let hash = try? reader.uint24(), let random = try? reader.uint24(), reader.isAtEnd
    else { return false }
    return key.hash(of: random) == hash
  }

  /// What a member advertises.
  ///
  /// - Parameter random: 22 bits; the two above them are always 01.
  public func identifier(random: UInt32) -> [UInt8] {
    let random = random & 0x3F_FFFF | 0x40_0000
    return [key.hash(of: random), random].flatMap { value in
      [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
  }

  /// Encrypted for who has this link's long term key, or back again: the same twice is the same
  /// (`sef` and `sdf`; CSIS 1.0, 4.5 and 4.6).
  public func converted(by longTermKey: SecretKey) -> SetKey {
    let salt = cmac(of: Array("SIRKenc".utf8), key: Self.zero)
    let inner = cmac(of: longTermKey.bytes.reversed(), key: salt)
    let mask = cmac(of: Array("csis".utf8), key: inner)
    let converted = zip(bytes, mask.reversed()).map { $0 ^ $1 }
    return SetKey(converted[...]) ?? self
  }

  private static let zero = [UInt8](repeating: 0, count: 16)
}

/// Set Identity Resolving Key (2B84; CSIS 1.0, 5.1): the key and how it is transferred.
public enum ReceivedSetKey: Hashable, Sendable {
  /// To be used as it is.
  case plain(SetKey)
  /// To be converted by the long term key of the link on which it was read.
  case encrypted(SetKey)

  /// Reads a type of one byte and 16 bytes of key.
  ///
  /// - Throws: for a type other than 0 and 1, and for another length.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "set key")
    let isPlain = try reader.flag()
    let rest = reader.rest()
    guard let key = SetKey(rest) else {
      throw reader.malformed(.badLength(rest.count), at: 1)
    }
    self = isPlain ? .plain(key) : .encrypted(key)
  }

  /// 17 bytes: 1 for plain or 0 for encrypted, and the key.
  public func encoded() -> [UInt8] {
    switch self {
    case .plain(let key): [1] + key.bytes
    case .encrypted(let key): [0] + key.bytes
    }
  }
}
