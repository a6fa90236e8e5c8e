public import BluetoothCodec

/// The name, model and versions of AirPods or Beats.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 5 | unknown |
/// | 5 | variable | name, model, manufacturer, serial number, firmware version, others |
///
/// Each text is UTF-8 and ends with a zero byte. Texts that are missing or empty are `nil`, and all
/// are made safe to display.
public struct AACPMetadata: Hashable, Sendable {
  /// The user's name for the headphone.
  public var name: String?
  /// The model number, such as "A3048".
  public var model: String?
  /// The manufacturer.
  public var manufacturer: String?
  /// The serial number.
  public var serial: String?
  /// The firmware version in the maker's form.
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

  /// Decodes the data after the opcode, up to the fifth text.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP metadata")
    _ = try reader.read(Self.headLength)
    var texts = reader.rest().split(separator: 0, maxSplits: 5, omittingEmptySubsequences: false)
      .prefix(5).map { $0.isEmpty ? nil : textFromAir($0) }
    texts += Array(repeating: nil, count: 5 - texts.count)
    (name, model, manufacturer, serial, firmware) = (
      texts[0], texts[1], texts[2], texts[3], texts[4]
    )
  }
}
