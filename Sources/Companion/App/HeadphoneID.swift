public import BluetoothCodec

/// The identity of one headphone, which stays when its address or name changes.
///
/// Scripts name a headphone by it, and the files of known headphones and caches are keyed by it. It
/// is made of the headphone's public address where that is known, else of the first address that it
/// advertised with; a headphone that is later recognised under another address keeps the older
/// identity.
public struct HeadphoneID: RawRepresentable, Hashable, Sendable, Comparable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The digits of an address, lower case: short to type and without a shell's special characters.
  ///
  /// `74:B7:E6:01:02:03` becomes `74b7e6010203`.
  public init(_ address: BluetoothAddress) {
    self.init(rawValue: address.description.filter { $0 != ":" }.lowercased())
  }

  public static func < (a: HeadphoneID, b: HeadphoneID) -> Bool { a.rawValue < b.rawValue }
}
