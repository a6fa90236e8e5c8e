/// Vendor and product of a device (Device ID Profile 1.3, 5).
public struct ProductID: Hashable, Sendable {
  /// A company of the Bluetooth SIG's list.
  public var vendor: UInt16
  /// As the vendor numbers its products.
  public var product: UInt16

  public init(vendor: UInt16, product: UInt16) {
    self.vendor = vendor
    self.product = product
  }

  /// The product of a modalias as bluetoothd writes it: "bluetooth:v004Cp2014d0B87"; nil: none of
  /// a company that the Bluetooth SIG knows.
  public init?(modalias: String) {
    let text = Array(modalias.utf8)
    let prefix = Array("bluetooth:v".utf8)
    guard text.starts(with: prefix), text.count >= prefix.count + 9, text[prefix.count + 4] == 0x70
    else { return nil }
    func number(at offset: Int) -> UInt16? {
      let digits = text[(prefix.count + offset)..<(prefix.count + offset + 4)]
      guard digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
      return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }
    guard let vendor = number(at: 0), let product = number(at: 5) else { return nil }
    self.init(vendor: vendor, product: product)
  }

  /// The record's class (PnPInformation) and its attributes.
  static let service = BluetoothUUID.bit16(0x1200)
  static let vendorAttribute: UInt16 = 0x0201
  static let productAttribute: UInt16 = 0x0202
  static let sourceAttribute: UInt16 = 0x0205
  /// Vendor ID Source: Bluetooth SIG if true, USB Implementers Forum otherwise.
  static let bluetoothSource: UInt16 = 1

  /// The product in a response to `ServiceDiscovery.productRequest`; nil: none of
  /// a company that the Bluetooth SIG knows.
  public init?(_ records: [[UInt16: SDPElement]]) {
    for record in records {
      guard record[Self.sourceAttribute] == .unsigned(UInt64(Self.bluetoothSource)),
        case .unsigned(let vendor)? = record[Self.vendorAttribute],
        case .unsigned(let product)? = record[Self.productAttribute],
        let vendor = UInt16(exactly: vendor), let product = UInt16(exactly: product)
      else { continue }
      self.init(vendor: vendor, product: product)
      return
    }
    return nil
  }
}
