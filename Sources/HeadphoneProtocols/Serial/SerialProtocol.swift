internal import Bluetooth
public import BluetoothCodec

/// A language that is spoken over a serial channel (RFCOMM) of the headphone's audio side.
public protocol SerialProtocol: HeadphoneProtocol {
  /// Where it is spoken, the best first.
  static var services: [SerialService] { get }

  /// For the service whose channel was opened.
  init(on service: BluetoothUUID)

  /// Whether the headphone has answered in this language.
  var isRecognised: Bool { get }

  /// What is asked when the questions before are answered; empty: nothing more.
  mutating func furtherQuestions() -> [Exchange]
}

extension SerialProtocol {
  /// The first questions are all.
  public mutating func furtherQuestions() -> [Exchange] { [] }
}

/// A service on whose channel a family may speak.
public struct SerialService: Hashable, Sendable {
  /// As its service record names it.
  public var uuid: BluetoothUUID
  /// The bits of ``uuid`` that count.
  public var mask: BluetoothUUID
  /// The company of the Device ID record, where the service alone proves nothing; nil: it does.
  public var vendor: UInt16?

  /// The Serial Port Profile's, which headphones of many makers offer for their own language.
  public static let serialPort = BluetoothUUID.bit16(0x1101)

  public init(
    _ uuid: BluetoothUUID, mask: BluetoothUUID = BluetoothUUID(high: .max, low: .max),
    vendor: UInt16? = nil
  ) {
    self.uuid = uuid
    self.mask = mask
    self.vendor = vendor
  }

  /// The service of a device that this is; nil: it offers none, or another maker has made it.
  func match(_ services: [BluetoothUUID], vendor maker: UInt16?) -> BluetoothUUID? {
    guard vendor == nil || vendor == maker else { return nil }
    return services.first { $0.masked(by: mask) == uuid.masked(by: mask) }
  }
}
