/// The vendor and product of a device (Device ID Profile 1.3, 5).
///
/// ```swift
/// let product = ProductID(modalias: "bluetooth:v004Cp2014d0B87")
/// print(product?.vendor == 0x004C)  // true: Apple
/// ```
public struct ProductID: Hashable, Sendable {
  /// The vendor's company identifier, assigned by the Bluetooth SIG.
  public var vendor: UInt16
  /// The product's number, assigned by the vendor.
  public var product: UInt16

  public init(vendor: UInt16, product: UInt16) {
    self.vendor = vendor
    self.product = product
  }

  /// Parses bluetoothd's `Modalias`, "bluetooth:vVVVVpPPPPdDDDD"; fails for "usb:…" and others.
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

  static let service = BluetoothUUID.bit16(0x1200)
  static let vendorAttribute: UInt16 = 0x0201
  static let productAttribute: UInt16 = 0x0202
  static let sourceAttribute: UInt16 = 0x0205
  /// The Vendor ID Source of the Bluetooth SIG; 2 is the USB Implementers Forum's.
  static let bluetoothSource: UInt16 = 1

  /// Creates a product, or returns nil if no record has a vendor of the Bluetooth SIG.
  ///
  /// The records are those of ``ServiceDiscovery/product(transaction:)``.
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
