public import BluetoothCodec

/// The identity of a broadcast, 24 bits (Basic Audio Profile 1.0.1, 3.7.2.1).
///
/// It stays while the broadcast lives; the address of its source may change.
public struct BroadcastID: RawRepresentable, Hashable, Sendable {
  /// The lower 24 bits.
  public let rawValue: UInt32

  /// The lower 24 bits of a number.
  public init(rawValue: UInt32) { self.rawValue = rawValue & 0xFF_FFFF }

  /// Decodes a Broadcast Audio Announcement: three bytes; a later specification may add some.
  ///
  /// - Throws: ``/BluetoothCodec/MalformedBytes`` for fewer.
  public init(announcement bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "broadcast announcement")
    self.init(rawValue: try reader.uint24())
  }

  /// The service data of the announcement, and the field in other messages.
  public func encoded() -> [UInt8] {
    [rawValue, rawValue >> 8, rawValue >> 16].map { UInt8(truncatingIfNeeded: $0) }
  }

  /// Six digits, "00123A".
  public var displayText: String { hexadecimal(rawValue, width: 6) }
}

/// Public Broadcast Announcement (Public Broadcast Profile 1.0): a broadcast for everyone.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | features: encrypted (bit 0), standard quality (1), high quality (2) |
/// | 1 | 1 | length *n* |
/// | 2 | *n* | metadata |
public struct PublicBroadcastAnnouncement: Hashable, Sendable {
  /// What its streams are.
  public struct Features: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A code is needed to listen.
    public static let encrypted = Features(rawValue: 1 << 0)
    /// A stream of 16 or 24 kHz, which every receiver can play.
    public static let standardQuality = Features(rawValue: 1 << 1)
    /// A stream of 48 kHz.
    public static let highQuality = Features(rawValue: 1 << 2)
  }

  public var features: Features
  /// Programme, language, and what else its source announces.
  public var metadata: [AudioMetadata]

  public init(_ features: Features, _ metadata: [AudioMetadata] = []) {
    self.features = features
    self.metadata = metadata
  }

  /// - Throws: ``/BluetoothCodec/MalformedBytes`` for a length past the end.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "public broadcast announcement")
    features = Features(rawValue: try reader.uint8())
    let length = try reader.uint8()
    metadata = AudioMetadata.list(try reader.read(Int(length)))
  }

  /// The service data.
  public func encoded() -> [UInt8] {
    let metadata = metadata.encoded()
    return [features.rawValue, UInt8(truncatingIfNeeded: metadata.count)] + metadata
  }
}

extension AdvertisingStructure {
  /// The AD type of a broadcast's name (Public Broadcast Profile 1.0).
  fileprivate static let broadcastNameType: UInt8 = 0x30

  /// The AD structure of a broadcast's name.
  package static func broadcastName(_ name: String) -> AdvertisingStructure {
    .other(type: broadcastNameType, Array(name.utf8)[...])
  }
}

extension AdvertisingData {
  /// The name of a broadcast, safe to show; nil: none is advertised.
  package var broadcastName: String? {
    for case .other(type: AdvertisingStructure.broadcastNameType, let bytes) in structures {
      if let name = shownText(bytes) { return name }
    }
    return nil
  }
}
