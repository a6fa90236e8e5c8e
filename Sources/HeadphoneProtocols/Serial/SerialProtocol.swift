public import BluetoothCodec

/// A maker's protocol over a serial channel (RFCOMM) of the headphone's BR/EDR side.
///
/// The driver is `ProtocolDriver`. It sends ``HeadphoneProtocol/questions()``
/// first, and ``HeadphoneProtocol/furtherQuestions()`` once the headphone is recognised.
///
/// ```swift
/// struct ExampleProtocol: SerialProtocol {
///   typealias Frame = ExampleFrame
///   static let name = "Example"
///   static let services = [SerialService(SerialService.serialPort, vendor: 0x1234)]
///   private var reader = FrameReader(FrameFormat(marker: [0xA5], length: …, longest: 64))
///   private var reported = ReportedValues()
///   private(set) var isRecognised = false
///
///   init(on service: BluetoothUUID) {}
///   mutating func messages(in value: Bytes) -> [Bytes] { reader.messages(in: value) }
///   mutating func receive(_ value: Bytes) -> ParsedMessage { … }
/// }
/// ```
public protocol SerialProtocol: HeadphoneProtocol {
  /// The services that speak the protocol, the best first.
  static var services: [SerialService] { get }

  /// Creates the protocol for the service whose channel was opened.
  init(on service: BluetoothUUID)
}

/// A frame of a maker's protocol, with marker, length and, in most protocols, a checksum.
public protocol SerialFrame: Hashable, Sendable {
  /// The framings of both sides, which divide a stream into frames.
  static var formats: [FrameFormat] { get }

  /// The commands that harm a headphone and are never sent.
  static var never: [NeverSent] { get }

  /// Decodes exactly one whole frame.
  init(decoding bytes: Bytes) throws(MalformedBytes)

  /// Returns the whole frame.
  func encoded() -> [UInt8]

  /// Returns a frame with another content of the same length, or nil if `bytes` are no frame.
  static func frame(_ bytes: Bytes, changing change: (Bytes) -> [UInt8]) -> [UInt8]?
}

extension SerialFrame {
  /// Uses the first of ``formats`` that fits.
  public static func frame(_ bytes: Bytes, changing change: (Bytes) -> [UInt8]) -> [UInt8]? {
    formats.compactMap { $0.frame(bytes, changing: change) }
      .first { (try? Self(decoding: $0[...])) != nil }
  }
}

extension SerialFrame {
  /// By default empty: no harmful command of the family is known.
  public static var never: [NeverSent] { [] }
}

/// A frame whose framing is the same in both directions.
package protocol UniformFrame: SerialFrame {
  static var format: FrameFormat { get }
}

extension UniformFrame {
  public static var formats: [FrameFormat] { [format] }
}

/// A service whose channel a family may use.
public struct SerialService: Hashable, Sendable {
  public var uuid: BluetoothUUID
  /// The bits of ``uuid`` that must match.
  public var mask: BluetoothUUID
  /// The company that the Device ID record must name, or nil if the service alone suffices.
  public var vendor: UInt16?
  /// The RFCOMM channels to try, in this order, on a device of the vendor without a record of the
  /// service; a response in the family's protocol shows which one is right.
  public var channels: [UInt8]
  /// Whether other makers' headphones have the same service, so that nothing is sent before the
  /// user has named the maker.
  public var isShared: Bool
  /// Whether other makers' headphones use the same service for another protocol.
  ///
  /// Such a service is used only on a device of the vendor that has no other service of a family. A
  /// response in the family's protocol confirms it.
  public var isCommon: Bool

  /// The UUID of the Serial Port Profile, under which many makers offer their own protocol.
  public static let serialPort = BluetoothUUID.bit16(0x1101)

  /// Creates a service; bits of the UUID outside `mask` may identify a model.
  public init(
    _ uuid: BluetoothUUID, mask: BluetoothUUID = BluetoothUUID(high: .max, low: .max),
    vendor: UInt16? = nil, channels: [UInt8] = [], isShared: Bool = false, isCommon: Bool = false
  ) {
    self.uuid = uuid
    self.mask = mask
    self.vendor = vendor
    self.channels = channels
    self.isShared = isShared
    self.isCommon = isCommon
  }

  /// Returns the first UUID in `services` that matches this service, or nil if none does or the
  /// device is of another company.
  package func match(_ services: [BluetoothUUID], vendor maker: UInt16?) -> BluetoothUUID? {
    guard vendor == nil || vendor == maker else { return nil }
    return services.first { $0.masked(by: mask) == uuid.masked(by: mask) }
  }
}
