internal import Bluetooth
public import BluetoothCodec

/// A maker's protocol that is spoken over a serial channel (RFCOMM) of the headphone's audio side.
///
/// A value type without I/O: the driver (``/HeadphoneDrivers/ProtocolDriver``) writes what it
/// returns and passes on what arrives. It asks ``HeadphoneProtocol/questions()`` first; if the
/// headphone is recognised by then, ``HeadphoneProtocol/furtherQuestions()`` follow.
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
  /// The services on which it is spoken, the best first.
  static var services: [SerialService] { get }

  /// Creates the protocol for the service whose channel was opened.
  init(on service: BluetoothUUID)
}

/// A frame of a maker's protocol, with its marker, length and checksum if it has one.
public protocol SerialFrame: Hashable, Sendable {
  /// The framings of either side, by which a stream can be divided into frames.
  static var formats: [FrameFormat] { get }

  /// The commands that harm a headphone: they are never written.
  static var never: [NeverSent] { get }

  /// Decodes exactly one whole frame.
  ///
  /// - Throws: if the bytes are anything else.
  init(decoding bytes: Bytes) throws(MalformedBytes)

  /// The whole frame.
  func encoded() -> [UInt8]

  /// Returns a whole frame of the same length with other content, or nil if the bytes are no frame.
  ///
  /// - Parameter change: returns as many bytes for a content.
  static func frame(_ bytes: Bytes, changing change: (Bytes) -> [UInt8]) -> [UInt8]?
}

extension SerialFrame {
  /// Returns the frame by the first of ``formats`` that fits.
  public static func frame(_ bytes: Bytes, changing change: (Bytes) -> [UInt8]) -> [UInt8]? {
    formats.compactMap { $0.frame(bytes, changing: change) }
      .first { (try? Self(decoding: $0[...])) != nil }
  }
}

extension SerialFrame {
  /// None is known.
  public static var never: [NeverSent] { [] }
}

/// A frame that headphone and phone divide from a stream in the same way.
package protocol UniformFrame: SerialFrame {
  /// The framing of both sides.
  static var format: FrameFormat { get }
}

extension UniformFrame {
  public static var formats: [FrameFormat] { [format] }
}

/// A service whose channel a family may use.
public struct SerialService: Hashable, Sendable {
  /// The service's UUID, as its record names it.
  public var uuid: BluetoothUUID
  /// The bits of ``uuid`` that count.
  public var mask: BluetoothUUID
  /// The company of the Device ID record, where the service alone proves nothing; nil: the service
  /// does.
  public var vendor: UInt16?
  /// The numbers of channels to try, in this order, on a device of the vendor's that has no record
  /// of the service; the right one responds in the family's protocol.
  public var channels: [UInt8]
  /// Whether headphones of other makers have the service, too, so that a person has to say whose it
  /// is; nothing is sent before.
  public var isShared: Bool
  /// Whether headphones of other makers have the service for another protocol, so that it counts with
  /// its vendor and beside no other service of a family; the right one responds in the family's
  /// protocol.
  public var isCommon: Bool

  /// The Serial Port Profile, under which many makers offer their own protocol.
  public static let serialPort = BluetoothUUID.bit16(0x1101)

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - uuid: as the record names it.
  ///   - mask: the bits of it that count; the others may name a model.
  ///   - vendor: the company that the device must be of; nil: any.
  ///   - channels: where to look on a device of the vendor's without a record of the service.
  ///   - isShared: whether a person has to say whose it is.
  ///   - isCommon: whether it counts only beside no other service of a family.
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

  /// The first of a device's services that is this one; nil: it offers none, or is of another
  /// company.
  package func match(_ services: [BluetoothUUID], vendor maker: UInt16?) -> BluetoothUUID? {
    guard vendor == nil || vendor == maker else { return nil }
    return services.first { $0.masked(by: mask) == uuid.masked(by: mask) }
  }
}
