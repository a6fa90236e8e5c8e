/// A firmware version of three numbers, sent as a ``word``.
public struct FirmwareVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The major number.
  public var major: UInt8
  /// The minor number.
  public var minor: UInt8
  /// The patch number.
  public var patch: UInt16

  public init(_ major: UInt8, _ minor: UInt8, _ patch: UInt16) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Parses "1.4.2", "1.4" or "12"; missing numbers are 0.
  ///
  /// A suffix after a space, "-" or "+" is ignored.
  ///
  /// ```swift
  /// FirmwareVersion("1.4.2-rc1")  // 1.4.2
  /// FirmwareVersion("v1.4")       // nil
  /// ```
  public init?(_ text: String) {
    let core = text.prefix { $0.isNumber || $0 == "." }
    let rest = text.dropFirst(core.count)
    let parts = core.split(separator: ".", omittingEmptySubsequences: false)
    guard rest.isEmpty || [" ", "-", "+"].contains(rest.first), (1...3).contains(parts.count),
      let major = UInt8(parts[0])
    else { return nil }
    self.init(major, 0, 0)
    if parts.count > 1 {
      guard let minor = UInt8(parts[1]) else { return nil }
      self.minor = minor
    }
    if parts.count > 2 {
      guard let patch = UInt16(parts[2]) else { return nil }
      self.patch = patch
    }
  }

  /// Creates a version from a ``word``.
  public init(word: UInt32) {
    self.init(
      UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8),
      UInt16(truncatingIfNeeded: word >> 16))
  }

  /// The major number in the lowest byte, the minor one above, the patch in the upper two bytes.
  public var word: UInt32 { UInt32(major) | UInt32(minor) << 8 | UInt32(patch) << 16 }

  public var description: String { "\(major).\(minor).\(patch)" }

  public static func < (a: FirmwareVersion, b: FirmwareVersion) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }
}
