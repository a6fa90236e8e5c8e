public import BluetoothCodec

/// Broadcast Receive State: one source of a headphone (Broadcast Audio Scan Service 1.0, 3.2).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | source, a number that the headphone chooses |
/// | 1 | 11 | address type, address, set, broadcast |
/// | 12 | 1 | synchronisation with the periodic advertising |
/// | 13 | 1 | encryption |
/// | 14 | 16 | the wrong code, if there was one |
/// | then | | number of subgroups, and for each: streams (4), metadata length, metadata |
///
/// An empty value means no source. A notification may be truncated to the MTU, without a sign.
public struct ReceiveState: Hashable, Sendable {
  /// PA_Sync_State: the synchronisation with the periodic advertising.
  public enum Sync: UInt8, Hashable, Sendable {
    case off
    case wantsTransfer
    case on
    case failed
    /// The headphone waited for a transfer (PAST), but there was none.
    case noTransfer
  }

  /// BIG_Encryption.
  public enum Encryption: UInt8, Hashable, Sendable {
    case none, codeRequired, decrypting, badCode
  }

  /// The Source_ID.
  public var number: UInt8
  public var source: BroadcastSource
  public var sync: Sync
  public var encryption: Encryption
  /// The wrong code that the headphone used, or nil if there was none.
  public var badCode: BroadcastCode?
  /// The streams played of each subgroup.
  public var subgroups: [BroadcastSubgroup]

  public init(
    _ number: UInt8, _ source: BroadcastSource, _ sync: Sync, _ encryption: Encryption = .none,
    badCode: BroadcastCode? = nil, _ subgroups: [BroadcastSubgroup] = []
  ) {
    self.number = number
    self.source = source
    self.sync = sync
    self.encryption = encryption
    self.badCode = badCode
    self.subgroups = subgroups
  }

  /// Decodes a value, or returns nil if it has no source; a truncated notification is malformed.
  public static func decode(_ bytes: Bytes) throws(MalformedBytes) -> ReceiveState? {
    bytes.isEmpty ? nil : try ReceiveState(decoding: bytes)
  }

  private init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "broadcast receive state")
    number = try reader.uint8()
    source = try BroadcastSource(&reader)
    sync = try reader.choice(Sync.self)
    encryption = try reader.choice(Encryption.self)
    badCode = encryption == .badCode ? try BroadcastCode(&reader) : nil
    subgroups = try BroadcastSubgroup.list(&reader)
    try reader.finish()
  }

  /// Whether a stream is played; the headphone may have lost the periodic advertising since.
  public var isPlaying: Bool {
    subgroups.contains(where: \.isPlayed)
  }

  public var hasNoStreams: Bool {
    !isPlaying && subgroups.contains { $0.streams == BroadcastSubgroup.any }
  }

  /// Whether the source has to be stopped before it can be removed.
  public var isActive: Bool { isPlaying || sync == .on || sync == .wantsTransfer }

  /// The metadata of the subgroups being played, or of all if none is.
  public var metadata: [AudioMetadata] {
    let played = subgroups.filter(\.isPlayed)
    return (played.isEmpty ? subgroups : played).flatMap { AudioMetadata.list($0.metadata[...]) }
  }
}
