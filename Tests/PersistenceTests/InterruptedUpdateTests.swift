import Companion
import FirmwareCrypto
import Glibc
import HeadphoneProtocols
import TestSupport
import Testing

@testable import Persistence

/// What a later run learns of an update that has not ended.
@Suite struct UnfinishedUpdateTests {
  let id = HeadphoneID(rawValue: "f0f1f2f3f4f5")
  let timestamp = Timestamp(milliseconds: 1_795_269_802_000)

  /// Returns an image in a file, of which a part was sent.
  func stopped(
    in folder: TemporaryFolder
  ) throws -> (known: KnownHeadphones, path: String, image: FirmwareImage) {
    let known = KnownHeadphones(in: folder.state)
    let image = try FirmwareImage(
      packing: [UInt8](repeating: 5, count: 1000), hardware: 1, version: FirmwareVersion(1, 5, 0),
      securityCounter: 1, key: SigningKey())
    let path = folder.state.file("new.fw").path
    try PrivateFile(path: path).replace(with: image.encoded())
    try known.keepUpdate(to: image, at: path, bytes: 370, timestamp, of: id)
    return (known, path, image)
  }

  @Test func `tells file, how far and from when`() throws {
    let folder = TemporaryFolder()
    let (known, path, _) = try stopped(in: folder)
    let update = try #require(known.unfinishedUpdate(of: id))
    #expect(update.path == path && update.file == .there && update.advice == nil)
    #expect(update.version == FirmwareVersion(1, 5, 0) && update.percent == 37)
    #expect(update.timestamp.milliseconds == timestamp.milliseconds)
    try known.forget(id)
    #expect(known.unfinishedUpdate(of: id) == nil)
  }

  @Test func `says that the file is gone, or another image`() throws {
    let folder = TemporaryFolder()
    let (known, path, _) = try stopped(in: folder)
    try PrivateFile(path: path).replace(with: [1, 2, 3])
    #expect(known.unfinishedUpdate(of: id)?.file == .changed)
    try PrivateFile(path: path).remove()
    #expect(known.unfinishedUpdate(of: id)?.file == .gone)
  }

  @Test func `is kept for its owner's eyes only`() throws {
    let folder = TemporaryFolder()
    let (known, _, _) = try stopped(in: folder)
    let file = try #require(known.file("update", of: id))
    var status = stat()
    #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: [
    "", "{}", "[1]", "\u{0}", #"{"path": "relative.fw"}"#,
    #"{"path":"/x","version":"1.5.0","sha256":"","total":0,"bytes":0,"milliseconds":0}"#,
    #"{"path":"/x","version":"1.5.0","sha256":"","total":9,"bytes":10,"milliseconds":0}"#,
    #"{"path":"/x","version":"1.5.0","sha256":"","total":9,"bytes":-1,"milliseconds":0}"#,
    #"{"path":"/x","version":"1.5.0","sha256":"","total":9,"bytes":1,"milliseconds":9e18}"#,
    #"{"path":"/x","version":"?","sha256":"","total":9,"bytes":1,"milliseconds":0}"#,
  ])
  func `a reminder that makes no sense is as good as none`(content: String) throws {
    let folder = TemporaryFolder()
    let (known, _, _) = try stopped(in: folder)
    try #require(known.file("update", of: id)).replace(with: Array(content.utf8))
    #expect(known.unfinishedUpdate(of: id) == nil)
  }

  @Test(arguments: ["/dev/zero", "/", "/proc/self/mem"])
  func `only a plain file is read`(path: String) throws {
    let folder = TemporaryFolder()
    let (known, _, image) = try stopped(in: folder)
    try known.keepUpdate(to: image, at: path, bytes: 1, timestamp, of: id)
    #expect(known.unfinishedUpdate(of: id)?.file != .there)
  }

  @Test func `an identity that is no name of a file has none`() throws {
    let folder = TemporaryFolder()
    let (known, path, image) = try stopped(in: folder)
    let hostile = HeadphoneID(rawValue: "../x")
    try known.keepUpdate(to: image, at: path, bytes: 1, timestamp, of: hostile)
    #expect(known.unfinishedUpdate(of: hostile) == nil)
  }
}
