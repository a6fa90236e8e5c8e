package import BluetoothAttributes
internal import BluetoothCodec
package import Companion
internal import JSON

extension KnownHeadphones {
  /// Returns the services from an earlier connection, or nil if unknown or invalid.
  package func cache(of id: HeadphoneID) -> GATTCache? { discovery(of: id)?.cache }

  /// Returns the services from an earlier connection, and the firmware version then.
  package func discovery(of id: HeadphoneID) -> Discovery? {
    guard let bytes = try? cacheFile(of: id)?.read(), let json = try? JSON(parsing: bytes),
      let cache = json["database"].flatMap(GATTCache.init(json:))
    else { return nil }
    return Discovery(cache: cache, firmware: json["firmware"]?.text)
  }

  /// A cache and its firmware version, because another version may have other services.
  package struct Discovery: Hashable, Sendable {
    package var cache: GATTCache
    /// The firmware version, or nil if the headphone reported none.
    package var firmware: String?

    package init(cache: GATTCache, firmware: String?) {
      self.cache = cache
      self.firmware = firmware
    }
  }

  /// Stores a discovery if a later connection can validate it, by its hash or by a bond.
  ///
  /// A bonded headphone must indicate Service Changed (Core 5.4, Vol 3, Part G, 2.5.2).
  package func keep(
    _ cache: GATTCache, of id: HeadphoneID, firmware: String? = nil, isBonded: Bool = false
  ) throws(FileError) {
    guard cache.hash != nil || isBonded, let file = cacheFile(of: id) else { return }
    let json: JSON = ["firmware": JSON(firmware), "database": cache.json]
    try file.replace(with: Array("\(json)\n".utf8), isPrecious: false)
  }

  /// Removes the stored discovery, or throws ``FileError`` if that fails.
  package func dropCache(of id: HeadphoneID) throws(FileError) { try cacheFile(of: id)?.remove() }

  private func cacheFile(of id: HeadphoneID) -> PrivateFile? { file("gatt", of: id) }

  /// Returns the file for a subject, or nil if the ID cannot be part of a file name.
  func file(_ subject: String, of id: HeadphoneID) -> PrivateFile? {
    let isPlain = id.rawValue.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard isPlain, (1...64).contains(id.rawValue.utf8.count) else { return nil }
    return folder.file("\(prefix)\(subject)-\(id.rawValue).json")
  }
}
