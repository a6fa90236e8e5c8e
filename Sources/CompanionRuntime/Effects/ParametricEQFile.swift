public import Companion
internal import EventLoop
internal import Persistence

/// A parametric equaliser in a text file, as AutoEq and EqualizerAPO write it.
///
/// Only regular files are read, and no more than ``/Companion/ParametricEQ/longestText`` bytes.
public enum ParametricEQFile {
  /// Reads and parses a file on the lane for named files; see ``read(_:)``.
  public static func load(_ path: String) async throws(CommandError) -> ParametricEQ {
    try await FileIO.named.open(path) { () throws(CommandError) in try read(path) }
  }

  /// Reads and parses a file.
  ///
  /// - Parameter path: a leading "~/" is the home directory, as in a shell.
  /// - Throws: ``CommandError/file(_:)``, for a mistake in the text with its line.
  public static func read(_ path: String) throws(CommandError) -> ParametricEQ {
    let full = path.hasPrefix("~/") ? (variable("HOME") ?? "~") + path.dropFirst() : path
    let bytes: [UInt8]
    do throws(FileError) {
      guard let content = try PrivateFile(path: full).read(atMost: ParametricEQ.longestText) else {
        throw .malformed(path: path, reason: "there is no such file")
      }
      bytes = content
    } catch {
      throw .file(error)
    }
    do throws(ParametricEQError) {
      return try ParametricEQ(parsing: bytes)
    } catch {
      throw .file(.malformed(path: path, reason: error.description))
    }
  }
}
