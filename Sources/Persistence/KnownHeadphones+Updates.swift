package import Companion
package import HeadphoneProtocols
internal import JSON

extension KnownHeadphones {
  /// Returns the interrupted firmware update of a headphone, or nil if none can be resumed.
  package func unfinishedUpdate(of id: HeadphoneID) -> InterruptedUpdate? {
    guard let bytes = try? file("update", of: id)?.read(atMost: 1 << 16),
      let json = try? JSON(parsing: bytes), let path = json["path"]?.text, path.hasPrefix("/"),
      let version = json["version"]?.text.flatMap({ FirmwareVersion($0) }),
      let digest = json["sha256"]?.text,
      let total = json["total"]?.wholeNumber, (1...Int64(UInt32.max)).contains(total),
      let arrived = json["bytes"]?.wholeNumber, (0...total).contains(arrived),
      let timestamp = json["milliseconds"]?.wholeNumber,
      // Larger numbers are beyond the calendar.
      (0...(1 << 48)).contains(timestamp)
    else { return nil }
    return InterruptedUpdate(
      path: path, version: version, bytes: Int(arrived), total: Int(total),
      timestamp: Timestamp(milliseconds: timestamp, utcOffset: Timestamp.now.utcOffset),
      file: InterruptedUpdate.File(at: path, sha256: digest))
  }

  /// Stores the progress of an update from the absolute `path`: the bytes that are confirmed.
  package func keepUpdate(
    to image: FirmwareImage, at path: String, bytes: Int, _ timestamp: Timestamp, of id: HeadphoneID
  ) throws(FileError) {
    let json: JSON = [
      "path": .string(path), "version": .string("\(image.manifest.version)"),
      "sha256": .string(KeyFile.text(image.manifest.digest)),
      "total": JSON(image.payload.count), "bytes": JSON(bytes),
      "milliseconds": JSON(timestamp.milliseconds),
    ]
    try file("update", of: id)?.replace(with: Array("\(json)\n".utf8), isPrecious: false)
  }

  /// Removes the record of an update that has ended or cannot be resumed.
  package func dropUpdate(of id: HeadphoneID) throws(FileError) {
    try file("update", of: id)?.remove()
  }

  package func isUpdating(_ id: HeadphoneID) -> Bool {
    do throws(FileError) {
      return try FirmwareLock(id.rawValue, in: folder) == nil
    } catch {
      return false
    }
  }
}

extension InterruptedUpdate.File {
  fileprivate init(at path: String, sha256: String) {
    guard let bytes = try? PrivateFile(path: path).read(atMost: FirmwareImage.longestFile) else {
      self = .gone
      return
    }
    let manifest = try? FirmwareManifest(decoding: bytes.prefix(FirmwareManifest.length))
    self = manifest.map { KeyFile.text($0.digest) } == sha256 ? .there : .changed
  }
}

extension FirmwareImage {
  /// The maximum size of an image file in bytes.
  package static let longestFile = 64 << 20
}
