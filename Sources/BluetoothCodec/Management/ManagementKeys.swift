/// The 16 bytes of a key, as the kernel carries them; its text never shows them.
public struct SecretKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Bytes of a key.
  static let count = 16

  private let first: UInt64
  private let second: UInt64

  /// The bytes of two numbers, least significant first.
  public init(_ first: UInt64, _ second: UInt64) {
    self.first = first
    self.second = second
  }

  /// Nil unless there are 16 bytes.
  public init?(_ bytes: Bytes) {
    guard bytes.count == Self.count else { return nil }
    var reader = ByteReader(bytes, of: "key")
    guard let key = try? SecretKey(&reader) else { return nil }
    self = key
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    first = try reader.uint64()
    second = try reader.uint64()
  }

  /// 16 bytes, to be stored where only the owner can read them.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: first)
    bytes.append(littleEndian: second)
  }

  public var description: String { "secret key" }
  /// Without children, so that `dump` shows no byte either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A BR/EDR link key.
public struct LinkKey: Hashable, Sendable {
  /// On BR/EDR, by its public address.
  public var peer: ManagementPeer
  /// As HCI codes it: 0x00 combination, 0x04 unauthenticated P-192 … 0x08 authenticated P-256.
  public var kind: UInt8
  /// The link key itself.
  public var key: SecretKey
  /// Bytes of the PIN it was made with, 0 to 16.
  public var pinLength: UInt8

  public init(peer: ManagementPeer, kind: UInt8, key: SecretKey, pinLength: UInt8) {
    self.peer = peer
    self.kind = kind
    self.key = key
    self.pinLength = pinLength
  }

  /// Whether Secure Connections made it, with the curve P-256.
  ///
  /// Only such a key may be the source of an LE side's key (Core 5.4, Vol 3, Part H, 2.4.2.5).
  public var isFromP256: Bool { kind == 0x07 || kind == 0x08 }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    peer = try ManagementPeer(&reader)
    kind = try reader.uint8()
    key = try SecretKey(&reader)
    pinLength = try reader.uint8()
  }

  func append(to bytes: inout [UInt8]) {
    peer.append(to: &bytes)
    bytes.append(kind)
    key.append(to: &bytes)
    bytes.append(pinLength)
  }
}

/// An LE long term key.
public struct LongTermKey: Hashable, Sendable {
  /// How it was made; bit 0 of the first four: authenticated.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let unauthenticatedLegacy = Kind(rawValue: 0x00)
    public static let authenticatedLegacy = Kind(rawValue: 0x01)
    public static let unauthenticatedP256 = Kind(rawValue: 0x02)
    public static let authenticatedP256 = Kind(rawValue: 0x03)
    public static let debugP256 = Kind(rawValue: 0x04)
  }

  /// By the identity address where one is known.
  public var peer: ManagementPeer
  public var kind: Kind
  /// Whether it is for links in which this host is the central; as the kernel gave it.
  public var central: UInt8
  /// Bytes of the key that count, 7 to 16.
  public var encryptionSize: UInt8
  /// EDIV, by which the peer finds a key of legacy pairing; 0 with LE Secure Connections.
  public var encryptedDiversifier: UInt16
  /// Rand, which belongs to ``encryptedDiversifier``; 0 with LE Secure Connections.
  public var random: UInt64
  /// Only the first ``encryptionSize`` bytes count.
  public var key: SecretKey

  public init(
    peer: ManagementPeer, kind: Kind, central: UInt8, encryptionSize: UInt8,
    encryptedDiversifier: UInt16, random: UInt64, key: SecretKey
  ) {
    self.peer = peer
    self.kind = kind
    self.central = central
    self.encryptionSize = encryptionSize
    self.encryptedDiversifier = encryptedDiversifier
    self.random = random
    self.key = key
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    peer = try ManagementPeer(&reader)
    kind = Kind(rawValue: try reader.uint8())
    central = try reader.uint8()
    encryptionSize = try reader.uint8()
    encryptedDiversifier = try reader.uint16()
    random = try reader.uint64()
    key = try SecretKey(&reader)
  }

  func append(to bytes: inout [UInt8]) {
    peer.append(to: &bytes)
    bytes.append(kind.rawValue)
    bytes.append(central)
    bytes.append(encryptionSize)
    bytes.append(littleEndian: encryptedDiversifier)
    bytes.append(littleEndian: random)
    key.append(to: &bytes)
  }
}

/// A key that resolves a peer's private addresses; `peer` is its identity.
public struct IdentityResolvingKey: Hashable, Sendable {
  /// The address that it keeps: public or random static.
  public var peer: ManagementPeer
  public var key: SecretKey

  public init(peer: ManagementPeer, key: SecretKey) {
    self.peer = peer
    self.key = key
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    peer = try ManagementPeer(&reader)
    key = try SecretKey(&reader)
  }

  func append(to bytes: inout [UInt8]) {
    peer.append(to: &bytes)
    key.append(to: &bytes)
  }
}

/// A key that signs writes without encryption.
public struct SignatureResolvingKey: Hashable, Sendable {
  /// By the identity address where one is known.
  public var peer: ManagementPeer
  /// Bit 0: the peer's, not ours; bit 1: authenticated.
  public var kind: UInt8
  public var key: SecretKey

  public init(peer: ManagementPeer, kind: UInt8, key: SecretKey) {
    self.peer = peer
    self.kind = kind
    self.key = key
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    peer = try ManagementPeer(&reader)
    kind = try reader.uint8()
    key = try SecretKey(&reader)
  }

  func append(to bytes: inout [UInt8]) {
    peer.append(to: &bytes)
    bytes.append(kind)
    key.append(to: &bytes)
  }
}
