package import BluetoothCodec

/// The identity of a headphone, which stays when its address or name changes.
///
/// Scripts and files use it. It is made from the public address or else the first advertised one. A
/// headphone recognised under another address keeps the older identity.
package struct HeadphoneID: RawRepresentable, Hashable, Sendable, Comparable {
  package var rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// Creates the identity from the lower-case digits of an address: `74:B7:E6:01:02:03` becomes
  /// `74b7e6010203`.
  package init(_ address: BluetoothAddress) {
    self.init(rawValue: address.description.filter { $0 != ":" }.lowercased())
  }

  package static func < (a: HeadphoneID, b: HeadphoneID) -> Bool { a.rawValue < b.rawValue }
}
