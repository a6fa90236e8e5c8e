/// A pattern in advertisements that identifies a kind of device rather than one service.
public enum AdvertisingPattern: Hashable, Sendable {
  /// A service whose UUID equals `uuid` in the bits that are 1 in `mask`.
  case service(BluetoothUUID, mask: BluetoothUUID)
  /// A service on a serial channel (RFCOMM) over BR/EDR, compared as in ``service(_:mask:)``.
  ///
  /// With a vendor, the pattern matches only devices whose Device ID record has that vendor.
  case serialService(BluetoothUUID, mask: BluetoothUUID, vendor: UInt16? = nil)
  /// A company's manufacturer-specific data that begins with these bytes.
  case manufacturer(company: UInt16, prefix: [UInt8])
  /// A connected BR/EDR device, which does not advertise, by the vendor in its Device ID record.
  case product(vendor: UInt16)
  /// A class of device for headsets, hands-free devices or headphones (Assigned Numbers, 2.8).
  case headphoneClass

  /// Returns whether an advertisement with its scan response matches; `product` is nil if unknown.
  public func matches(_ data: AdvertisingData, _ product: ProductID? = nil) -> Bool {
    switch self {
    case .serialService(_, _, let vendor?) where vendor != product?.vendor: false
    case .service(let uuid, let mask), .serialService(let uuid, let mask, _):
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

  public var isSerial: Bool { if case .serialService = self { true } else { false } }

  /// The major device class Audio/Video, in bits 8 to 12 of a class of device.
  private static let audioVideo: UInt32 = 0x04
  /// The minor device classes wearable headset, hands-free device and headphones, in bits 2 to 7.
  private static let headphones: Set<UInt32> = [0x01, 0x02, 0x06]
}

extension BluetoothUUID {
  /// Returns the UUID with all bits cleared that are 0 in `mask`.
  public func masked(by mask: BluetoothUUID) -> BluetoothUUID {
    BluetoothUUID(high: high & mask.high, low: low & mask.low)
  }
}
