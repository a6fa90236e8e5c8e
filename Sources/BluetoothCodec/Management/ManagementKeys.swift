/// The 16 bytes of a key in the kernel's order, which no textual form reveals.
public struct SecretKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  static let count = 16

  private let first: UInt64
  private let second: UInt64

  /// Creates a key from two numbers, whose bytes are stored least significant first.
  public init(_ first: UInt64, _ second: UInt64) {
    self.first = first
    self.second = second
  }

  /// Creates a key from its bytes, or returns nil unless there are 16.
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

  /// The 16 bytes, to be stored where only the owner can read them.
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
  /// A mirror without children, so that `dump` does not reveal the bytes either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A BR/EDR link key.
public struct LinkKey: Hashable, Sendable {
  /// The device, identified by its public address on BR/EDR.
  public var peer: ManagementPeer
  /// The key type of HCI: 0x00 combination, 0x04 unauthenticated P-192 … 0x08 authenticated P-256.
  public var kind: UInt8
  public var key: SecretKey
  /// The length of the PIN that created the key, 0 to 16 bytes.
  public var pinLength: UInt8

  public init(peer: ManagementPeer, kind: UInt8, key: SecretKey, pinLength: UInt8) {
    self.peer = peer
    self.kind = kind
    self.key = key
    self.pinLength = pinLength
  }

  /// Whether the key is from Secure Connections (P-256).
  ///
  /// Only then may the LE side's key be derived from it (Core 5.4, Vol 3, Part H, 2.4.2.5).
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

/// An LE long term key (LTK).
public struct LongTermKey: Hashable, Sendable {
  /// The method of pairing that created a key, and whether it was authenticated.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Legacy pairing, Just Works.
    public static let unauthenticatedLegacy = Kind(rawValue: 0x00)
    public static let authenticatedLegacy = Kind(rawValue: 0x01)
    /// Secure Connections, Just Works.
    public static let unauthenticatedP256 = Kind(rawValue: 0x02)
    /// Secure Connections, with a passkey or a comparison.
    public static let authenticatedP256 = Kind(rawValue: 0x03)
    /// Secure Connections with the publicly known debug key.
    public static let debugP256 = Kind(rawValue: 0x04)
  }

  /// The device, identified by its identity address if that is known.
  public var peer: ManagementPeer
  public var kind: Kind
  /// 1 if the key is for links in which this host is the central, as the kernel reports it.
  public var central: UInt8
  /// The number of bytes of the key that are used, 7 to 16.
  public var encryptionSize: UInt8
  /// EDIV, which identifies a key of legacy pairing at the peer, or 0 with Secure Connections.
  public var encryptedDiversifier: UInt16
  /// Rand, which belongs to ``encryptedDiversifier``, or 0 with Secure Connections.
  public var random: UInt64
  /// The key, of which the first ``encryptionSize`` bytes are used.
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

/// An identity resolving key (IRK), which resolves a device's private addresses.
public struct IdentityResolvingKey: Hashable, Sendable {
  /// The identity address of the device: public or random static.
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

/// A connection signature resolving key (CSRK), for signed writes on unencrypted links.
public struct SignatureResolvingKey: Hashable, Sendable {
  public var peer: ManagementPeer
  /// Bit 0 is set for the peer's key rather than this host's, bit 1 for an authenticated key.
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
