public import BluetoothCodec

/// What the headphone is called and made by: five bytes, then texts that a zero ends.
public struct AACPMetadata: Hashable, Sendable {
  /// The user's name for the headphone; nil: not reported, or empty.
  public var name: String?
  /// "A3048".
  public var model: String?
  /// Nil: not reported, or empty.
  public var manufacturer: String?
  /// Nil: not reported, or empty.
  public var serial: String?
  /// As the maker numbers it; nil: not reported, or empty.
  public var firmware: String?

  private static let headLength = 5

  public init(
    name: String?, model: String?, manufacturer: String?, serial: String?, firmware: String?
  ) {
    self.name = name
    self.model = model
    self.manufacturer = manufacturer
    self.serial = serial
    self.firmware = firmware
  }

  /// Texts beyond the fifth are left out; what stands there is not known.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP metadata")
    _ = try reader.take(Self.headLength)
    var texts = reader.rest().split(separator: 0, maxSplits: 5, omittingEmptySubsequences: false)
      .prefix(5).map { $0.isEmpty ? nil : textFromAir($0) }
    texts += Array(repeating: nil, count: 5 - texts.count)
    (name, model, manufacturer, serial, firmware) = (
      texts[0], texts[1], texts[2], texts[3], texts[4]
    )
  }

  /// What follows the opcode; a nil text is an empty one.
  public func encoded() -> [UInt8] {
    var texts: [UInt8] = []
    for text in [name, model, manufacturer, serial, firmware] {
      texts += Array((text ?? "").utf8) + [0]
    }
    var bytes: [UInt8] = [0x02]
    bytes.append(littleEndian: UInt16(truncatingIfNeeded: texts.count))
    return bytes + [0x04, 0x00] + texts
  }
}
