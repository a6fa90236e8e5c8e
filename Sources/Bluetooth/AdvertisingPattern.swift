public import BluetoothCodec

/// A pattern in advertisements that identifies a kind of device rather than one service.
public enum AdvertisingPattern: Hashable, Sendable {
  /// A service whose UUID equals `uuid` in the bits of `mask`.
  case service(BluetoothUUID, mask: BluetoothUUID)
  /// The same, of a service on a serial channel over BR/EDR: the device is controlled there, whatever
  /// else it offers.
  case serialService(BluetoothUUID, mask: BluetoothUUID)
  /// Manufacturer data of a company that begins with these bytes.
  case manufacturer(company: UInt16, prefix: [UInt8])
  /// A device of this company whose BR/EDR link is up; it advertises nothing.
  case product(vendor: UInt16)
  /// A class of device that says headset, hands-free or headphones (Assigned Numbers, 2.8).
  case headphoneClass

  /// Whether an advertisement has it.
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

  /// Whether it is one of the services on a serial channel.
  public var isSerial: Bool { if case .serialService = self { true } else { false } }

  /// The major device class.
  private static let audioVideo: UInt32 = 0x04
  /// Minor device classes: wearable headset, hands-free, headphones.
  private static let headphones: Set<UInt32> = [0x01, 0x02, 0x06]
}

extension BluetoothUUID {
  /// The UUID with all bits 0 that are not in `mask`.
  public func masked(by mask: BluetoothUUID) -> BluetoothUUID {
    BluetoothUUID(high: high & mask.high, low: low & mask.low)
  }
}
