public import BluetoothCodec

/// The identity of one headphone, which stays when its address or name changes.
public struct HeadphoneID: RawRepresentable, Hashable, Sendable, Comparable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  /// The digits of an address, lower case: short to type and without a shell's special characters.
  public init(_ address: BluetoothAddress) {
    self.init(rawValue: address.description.filter { $0 != ":" }.lowercased())
  }

  public static func < (a: HeadphoneID, b: HeadphoneID) -> Bool { a.rawValue < b.rawValue }
}
