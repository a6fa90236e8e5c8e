public import Companion
public import GATT
internal import JSON

extension KnownHeadphones {
  /// What was discovered of a headphone in an earlier connection; nil: nothing of use.
  ///
  /// A cache is a convenience: one that cannot be read is as good as none, and is replaced.
  public func cache(of id: HeadphoneID) -> GATTCache? { discovery(of: id)?.cache }

  /// The same, and the firmware that it was discovered of.
  public func discovery(of id: HeadphoneID) -> Discovery? {
    guard let bytes = try? cacheFile(of: id)?.read(), let json = try? JSON(parsing: bytes),
      let cache = json["database"].flatMap(GATTCache.init(json:))
    else { return nil }
    return Discovery(cache: cache, firmware: json["firmware"]?.text)
  }

  /// What was discovered, and of which firmware: another one has perhaps other services.
  public struct Discovery: Hashable, Sendable {
    public var cache: GATTCache
    public var firmware: String?

    public init(cache: GATTCache, firmware: String?) {
      self.cache = cache
      self.firmware = firmware
    }
  }

  /// Keeps what was discovered, if a later connection can prove it.
  public func keep(
    _ cache: GATTCache, of id: HeadphoneID, firmware: String? = nil
  ) throws(FileError) {
    guard cache.hash != nil, let file = cacheFile(of: id) else { return }
    let json: JSON = ["firmware": JSON(firmware), "database": cache.json]
    try file.replace(with: Array("\(json)\n".utf8), isPrecious: false)
  }

  /// Removes what was discovered.
  public func dropCache(of id: HeadphoneID) throws(FileError) { try cacheFile(of: id)?.remove() }

  private func cacheFile(of id: HeadphoneID) -> PrivateFile? { file("gatt", of: id) }

  /// A file about one headphone; nil for an identity that is not fit for the name of a file.
  func file(_ subject: String, of id: HeadphoneID) -> PrivateFile? {
    let isPlain = id.rawValue.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard isPlain, (1...64).contains(id.rawValue.utf8.count) else { return nil }
    return folder.file("\(prefix)\(subject)-\(id.rawValue).json")
  }
}
