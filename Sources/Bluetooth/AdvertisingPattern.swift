public import BluetoothCodec

/// A pattern in advertisements that identifies a kind of device rather than one service.
///
/// Families declare the patterns of their headphones, and a scan passes what matches one of them:
///
/// ```swift
/// let airPods = AdvertisingPattern.manufacturer(company: 0x004C, prefix: [0x07, 0x19])
/// var options = ScanOptions(patterns: [airPods, .product(vendor: 0x004C)])
/// ```
public enum AdvertisingPattern: Hashable, Sendable {
  /// A service whose UUID equals `uuid` in the bits that are 1 in `mask`.
  case service(BluetoothUUID, mask: BluetoothUUID)
  /// A service on a serial channel (RFCOMM) over BR/EDR, compared as in ``service(_:mask:)``.
  ///
  /// The device is controlled there, whatever else it offers.
  case serialService(BluetoothUUID, mask: BluetoothUUID)
  /// Manufacturer-specific data of a company that begins with these bytes.
  case manufacturer(company: UInt16, prefix: [UInt8])
  /// A device whose Device ID record has this vendor, and whose BR/EDR link is up.
  ///
  /// Such a device does not advertise, so no advertisement matches.
  case product(vendor: UInt16)
  /// A class of device for headsets, hands-free devices or headphones (Assigned Numbers, 2.8).
  case headphoneClass

  /// Whether an advertisement has the pattern.
  ///
  /// - Parameter data: an advertisement, merged with its scan response.
  public func matches(_ data: AdvertisingData) -> Bool {
    switch self {
    case .service(let uuid, let mask), .serialService(let uuid, let mask):
      data.serviceUUIDs.contains { $0.masked(by: mask) == uuid.masked(by: mask) }
    case .manufacturer(let company, let prefix):
      data.manufacturerData(for: company)?.starts(with: prefix) == true
    case .product: false
    case .headphoneClass:
      data.classOfDevice.map { value in
        value >> 8 & 0x1F == Self.audioVideo && Self.headphones.contains(value >> 2 & 0x3F)
      } ?? false
    }
  }

  /// Whether it is a ``serialService(_:mask:)``.
  public var isSerial: Bool { if case .serialService = self { true } else { false } }

  /// The major device class Audio/Video, bits 8 to 12 of a class of device.
  private static let audioVideo: UInt32 = 0x04
  /// The minor device classes wearable headset, hands-free device and headphones, bits 2 to 7.
  private static let headphones: Set<UInt32> = [0x01, 0x02, 0x06]
}

extension BluetoothUUID {
  /// The UUID with all bits cleared that are 0 in `mask`.
  public func masked(by mask: BluetoothUUID) -> BluetoothUUID {
    BluetoothUUID(high: high & mask.high, low: low & mask.low)
  }
}
