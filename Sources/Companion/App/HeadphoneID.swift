/// One headphone, whatever its address or name is today.
public struct HeadphoneID: RawRepresentable, Hashable, Sendable, Comparable {
  public var rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static func < (a: HeadphoneID, b: HeadphoneID) -> Bool { a.rawValue < b.rawValue }
}
