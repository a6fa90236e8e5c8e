public import Companion
internal import Persistence

/// The text of a parametric equaliser in a file.
public enum ParametricEQFile {
  /// - Parameter path: a leading "~/" is the person's home, as in a shell.
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
