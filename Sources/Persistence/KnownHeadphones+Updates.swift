public import Companion
public import Headphones
internal import JSON

extension KnownHeadphones {
  /// The update of a headphone that has begun and not ended; nil: none that could be gone on with.
  ///
  /// It is only a reminder: one that cannot be read is as good as none.
  public func unfinishedUpdate(of id: HeadphoneID) -> InterruptedUpdate? {
    guard let bytes = try? file("update", of: id)?.read(atMost: 1 << 16),
      let json = try? JSON(parsing: bytes), let path = json["path"]?.text, path.hasPrefix("/"),
      let version = json["version"]?.text.flatMap({ FirmwareVersion($0) }),
      let digest = json["sha256"]?.text,
      let total = json["total"]?.wholeNumber, (1...Int64(UInt32.max)).contains(total),
      let arrived = json["bytes"]?.wholeNumber, (0...total).contains(arrived),
      let timestamp = json["milliseconds"]?.wholeNumber,
      // A day of its year must come out, whatever stands there.
      (0...(1 << 48)).contains(timestamp)
    else { return nil }
    return InterruptedUpdate(
      path: path, version: version, bytes: Int(arrived), total: Int(total),
      timestamp: Timestamp(milliseconds: timestamp, utcOffset: Timestamp.now.utcOffset),
      file: InterruptedUpdate.File(at: path, sha256: digest))
  }

  /// Keeps how far an update is.
  public func keepUpdate(
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

  /// Forgets an update: it has ended, or never can.
  public func dropUpdate(of id: HeadphoneID) throws(FileError) {
    try file("update", of: id)?.remove()
  }

  /// Whether a program of this person carries an update of it out at this moment.
  public func isUpdating(_ id: HeadphoneID) -> Bool {
    do throws(FileError) {
      return try FirmwareLock(id.rawValue, in: folder) == nil
    } catch {
      return false
    }
  }
}

extension InterruptedUpdate.File {
  /// Compares the file with the image that the update began with.
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
  /// The longest file that is read as an image; bytes.
  public static let longestFile = 64 << 20
}
