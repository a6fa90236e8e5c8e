public import BluetoothCodec

/// The Broadcast_ID, 24 bits (Basic Audio Profile 1.0.1, 3.7.2.1).
///
/// It lasts as long as the broadcast, while the address of the source may change.
public struct BroadcastID: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt32

  /// Creates the identity from the lower 24 bits of a number.
  public init(rawValue: UInt32) { self.rawValue = rawValue & 0xFF_FFFF }

  /// Decodes the first three bytes of a Broadcast Audio Announcement.
  public init(announcement bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "broadcast announcement")
    self.init(rawValue: try reader.uint24())
  }

  /// Returns three bytes, little-endian.
  public func encoded() -> [UInt8] {
    [rawValue, rawValue >> 8, rawValue >> 16].map { UInt8(truncatingIfNeeded: $0) }
  }

  /// Six hexadecimal digits, such as "00123A".
  public var displayText: String { hexadecimal(rawValue, width: 6) }
}

/// The Public Broadcast Announcement (Public Broadcast Profile 1.0).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | features: encrypted (bit 0), standard quality (1), high quality (2) |
/// | 1 | 1 | length *n* |
/// | 2 | *n* | metadata |
public struct PublicBroadcastAnnouncement: Hashable, Sendable {
  /// The features of its streams.
  public struct Features: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let encrypted = Features(rawValue: 1 << 0)
    /// 16 or 24 kHz, which every receiver can play.
    public static let standardQuality = Features(rawValue: 1 << 1)
    /// 48 kHz.
    public static let highQuality = Features(rawValue: 1 << 2)
  }

  public var features: Features
  /// The metadata, such as programme and language.
  public var metadata: [AudioMetadata]

  public init(_ features: Features, _ metadata: [AudioMetadata] = []) {
    self.features = features
    self.metadata = metadata
  }

  /// Decodes the service data, and rejects a length past the end.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "public broadcast announcement")
    features = Features(rawValue: try reader.uint8())
    let length = try reader.uint8()
    metadata = AudioMetadata.list(try reader.read(Int(length)))
  }
}

extension AdvertisingStructure {
  fileprivate static let broadcastNameType: UInt8 = 0x30

  package static func broadcastName(_ name: String) -> AdvertisingStructure {
    .other(type: broadcastNameType, Array(name.utf8)[...])
  }
}

extension AdvertisingData {
  package var broadcastName: String? {
    for case .other(type: AdvertisingStructure.broadcastNameType, let bytes) in structures {
      if let name = shownText(bytes) { return name }
    }
    return nil
  }
}
