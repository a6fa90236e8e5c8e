public import Companion
public import GATT
internal import JSON

extension KnownHeadphones {
  /// The services of a headphone as an earlier connection discovered them; nil if there is nothing
  /// of use.
  ///
  /// A cache is a convenience: one that cannot be read counts as none, and is replaced.
  public func cache(of id: HeadphoneID) -> GATTCache? { discovery(of: id)?.cache }

  /// The same, and the firmware version that it was discovered with.
  public func discovery(of id: HeadphoneID) -> Discovery? {
    guard let bytes = try? cacheFile(of: id)?.read(), let json = try? JSON(parsing: bytes),
      let cache = json["database"].flatMap(GATTCache.init(json:))
    else { return nil }
    return Discovery(cache: cache, firmware: json["firmware"]?.text)
  }

  /// A cache with the firmware version that it was discovered with: another one may have other
  /// services.
  public struct Discovery: Hashable, Sendable {
    public var cache: GATTCache
    /// The firmware version; nil if the headphone reported none.
    public var firmware: String?

    public init(cache: GATTCache, firmware: String?) {
      self.cache = cache
      self.firmware = firmware
    }
  }

  /// Keeps what was discovered, if a later connection can prove it: by its hash, or by a bond.
  ///
  /// - Parameter isBonded: whether the two ends share a key: the headphone must indicate Service
  ///   Changed then, so that no hash is needed (Core 5.4, Vol 3, Part G, 2.5.2).
  /// - Throws: if the file cannot be written.
  public func keep(
    _ cache: GATTCache, of id: HeadphoneID, firmware: String? = nil, isBonded: Bool = false
  ) throws(FileError) {
    guard cache.hash != nil || isBonded, let file = cacheFile(of: id) else { return }
    let json: JSON = ["firmware": JSON(firmware), "database": cache.json]
    try file.replace(with: Array("\(json)\n".utf8), isPrecious: false)
  }

  /// Removes what was discovered.
  ///
  /// - Throws: if the file cannot be removed.
  public func dropCache(of id: HeadphoneID) throws(FileError) { try cacheFile(of: id)?.remove() }

  private func cacheFile(of id: HeadphoneID) -> PrivateFile? { file("gatt", of: id) }

  /// A file about one headphone; nil for an identity that cannot be part of a file name.
  func file(_ subject: String, of id: HeadphoneID) -> PrivateFile? {
    let isPlain = id.rawValue.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard isPlain, (1...64).contains(id.rawValue.utf8.count) else { return nil }
    return folder.file("\(prefix)\(subject)-\(id.rawValue).json")
  }
}
