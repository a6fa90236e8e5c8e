/// An AD type (Assigned Numbers, 2.3); the named ones are decoded.
struct AdvertisingType: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
  var rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }
  init(integerLiteral value: UInt8) { rawValue = value }

  static let flags: Self = 0x01
  static let incompleteServices16: Self = 0x02
  static let completeServices16: Self = 0x03
  static let incompleteServices32: Self = 0x04
  static let completeServices32: Self = 0x05
  static let incompleteServices128: Self = 0x06
  static let completeServices128: Self = 0x07
  static let shortenedName: Self = 0x08
  static let completeName: Self = 0x09
  static let txPower: Self = 0x0A
  static let serviceData16: Self = 0x16
  static let appearance: Self = 0x19
  static let serviceData32: Self = 0x20
  static let serviceData128: Self = 0x21
  static let resolvableSetIdentifier: Self = 0x2E
  static let manufacturerData: Self = 0xFF
}

extension AdvertisingType: CustomStringConvertible {
  /// A name for errors, for example "AD structure 0x09".
  var description: String { "AD structure 0x\(hexadecimal(rawValue, width: 2))" }
}
