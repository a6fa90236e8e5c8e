/// A version as the manifest carries it: u8 major, u8 minor, u16 patch.
public struct FirmwareVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// 0 to 255.
  public var major: UInt8
  /// 0 to 255.
  public var minor: UInt8
  /// 0 to 65535.
  public var patch: UInt16

  public init(_ major: UInt8, _ minor: UInt8, _ patch: UInt16) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Reads "1.4.2", "1.4" or "12", with what may follow a blank, "-" or "+" left out.
  ///
  /// Nil for a firmware revision that is not written so.
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

  /// The four bytes of the manifest taken as one little-endian word, as command 0x57 answers them.
  public init(word: UInt32) {
    self.init(
      UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8),
      UInt16(truncatingIfNeeded: word >> 16))
  }

  /// Major in the lowest byte, then minor, then patch in the upper two.
  public var word: UInt32 { UInt32(major) | UInt32(minor) << 8 | UInt32(patch) << 16 }

  public var description: String { "\(major).\(minor).\(patch)" }

  public static func < (a: FirmwareVersion, b: FirmwareVersion) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }
}
