internal import EventLoop
internal import FirmwareCrypto
internal import Glibc
package import HeadphoneProtocols
internal import Persistence

package enum FirmwareFile {
  /// Makes a path absolute; a leading "~/" is the home directory, as in a shell.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("~/"), let home = variable("HOME") { return home + path.dropFirst() }
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Reads an image and checks its format, length and digest, but not its signature.
  package static func read(_ path: String) throws(CommandError) -> FirmwareImage {
    let bytes = try payload(path)
    do throws(FirmwareRefusal) {
      return try FirmwareImage(decoding: bytes[...])
    } catch {
      throw .firmwareRefused(error)
    }
  }

  static func load(
    _ path: String
  ) async throws(CommandError) -> (image: FirmwareImage, path: String) {
    try await FileIO.named.open(path) { () throws(CommandError) in
      let path = absolute(path)
      return (try read(path), path)
    }
  }

  package static func payload(_ path: String) throws(CommandError) -> [UInt8] {
    do throws(FileError) {
      guard let bytes = try PrivateFile(path: path).read(atMost: FirmwareImage.longestFile) else {
        throw .malformed(path: path, reason: "there is no such file")
      }
      return bytes
    } catch {
      throw .file(error)
    }
  }

  /// Writes an image, readable only by its owner, into an existing folder; links are followed.
  package static func write(_ image: FirmwareImage, to path: String) throws(CommandError) {
    do throws(FileError) {
      try PrivateFile(path: path).write(image.encoded())
    } catch {
      throw .file(error)
    }
  }
}
