public import BluetoothCodec

/// The response to command 0x22: the gains of the custom equaliser.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | number of bands *n* |
/// | 1 | *n* | gains in steps of 0.5 dB, signed, lowest band first |
public struct BandGains: Hashable, Sendable {
  /// The gains, lowest band first.
  public var gains: [BandGain]

  public init(_ gains: [BandGain]) { self.gains = gains }

  /// Decodes the response's data after its status, and rejects gains out of range.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "custom EQ")
    gains = try reader.gains()
  }
}
