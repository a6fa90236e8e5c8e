package import BluetoothCodec

/// The identity of one headphone, which stays when its address or name changes.
///
/// It is used in scripts, and as the key in files. It is made from the public address or else the
/// first advertised one. A headphone recognised under another address keeps the older identity.
package struct HeadphoneID: RawRepresentable, Hashable, Sendable, Comparable {
  package var rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// Creates the identity from the digits of an address in lower case, which are easy to type.
  ///
  /// `74:B7:E6:01:02:03` becomes `74b7e6010203`.
  package init(_ address: BluetoothAddress) {
    self.init(rawValue: address.description.filter { $0 != ":" }.lowercased())
  }

  package static func < (a: HeadphoneID, b: HeadphoneID) -> Bool { a.rawValue < b.rawValue }
}
