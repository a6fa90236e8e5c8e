public import BluetoothCodec

/// What command 0x22 answers: a count and as many gains.
public struct BandGains: Hashable, Sendable {
  /// From the lowest band to the highest.
  public var gains: [BandGain]

  public init(_ gains: [BandGain]) { self.gains = gains }

  /// Decodes the response's data, without its status.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "custom EQ")
    gains = try reader.gains()
  }

  /// The response's data, without its status.
  public func encoded() -> [UInt8] { encodedGains(gains) }
}
