public import BluetoothCodec

/// Something that a peripheral advertises and that names a kind of device rather than one service.
public enum AdvertisingPattern: Hashable, Sendable {
  /// A service whose UUID is `uuid` in those bits that `mask` has.
  case service(BluetoothUUID, mask: BluetoothUUID)
  /// Manufacturer data of a company that begins with these bytes.
  case manufacturer(company: UInt16, prefix: [UInt8])
  /// Nothing that is advertised: a device of this company whose BR/EDR link is up.
  case product(vendor: UInt16)
  /// A class of device that says headset, hands-free or headphones (Assigned Numbers, 2.8).
  case headphoneClass

  /// Whether an advertisement shows it.
  public func matches(_ data: AdvertisingData) -> Bool {
    switch self {
    case .service(let uuid, let mask):
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

  /// The major device class.
  private static let audioVideo: UInt32 = 0x04
  /// Minor device classes: wearable headset, hands-free, headphones.
  private static let headphones: Set<UInt32> = [0x01, 0x02, 0x06]
}

extension BluetoothUUID {
  /// Those bits that `mask` has, the others 0.
  public func masked(by mask: BluetoothUUID) -> BluetoothUUID {
    BluetoothUUID(high: high & mask.high, low: low & mask.low)
  }
}
