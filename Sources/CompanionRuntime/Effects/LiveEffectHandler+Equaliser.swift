public import Companion
internal import EventLoop
internal import HeadphoneProtocols
internal import Persistence

/// Saved equaliser presets, and curves to import.
extension LiveEffectHandler {
  /// Reads the presets; answered by ``/Companion/EqualiserEvent/saved(_:)`` or `failed`.
  func readEQs(_ send: @escaping Send) { keepEQs(nil, send) }

  /// Changes the file under its lock, and reports all presets as they are then.
  func changeEQs(_ change: SavedEQChange, _ send: @escaping Send) { keepEQs(change, send) }

  /// Reads or changes the file on the thread for files, after the writes before it.
  private func keepEQs(_ change: SavedEQChange?, _ send: @escaping Send) {
    let presets = SavedEQs(in: dependencies.known.folder)
    let previous = saving
    saving = Task {
      await previous?.value
      do throws(FileError) {
        let all = try await FileIO.shared.run { () throws(FileError) in
          if let change { try presets.apply(change) } else { try presets.all() }
        }
        send(.equaliser(.saved(all)))
      } catch {
        send(.equaliser(.failed("\(error)")))
      }
    }
  }

  /// Reads and parses a text; what the bands make of it is the reducer's affair.
  func importEQ(_ path: String, for id: HeadphoneID, _ send: @escaping Send) {
    tasks.run {
      do throws(CommandError) {
        let curve = try await ParametricEQFile.load(path)
        send(.equaliser(.imported(id, path: path, curve)))
      } catch {
        send(.equaliser(.rejected(id, reason: error.what)))
      }
    }
  }
}

/// A parametric equaliser in a text file, as AutoEq and EqualizerAPO write it.
///
/// Only regular files are read, and no more than ``/Companion/ParametricEQ/longestText`` bytes.
public enum ParametricEQFile {
  /// Reads a file on the lane for named files, and parses it on another: a disk is not late because a graphic equaliser
  /// takes its time; see ``read(_:)``.
  public static func load(_ path: String) async throws(CommandError) -> ParametricEQ {
    let bytes = try await FileIO.named.open(path) { () throws(CommandError) in
      try content(of: path)
    }
    return try await FileIO.shared.run { () throws(CommandError) in try parse(bytes, of: path) }
  }

  /// Reads and parses a file.
  ///
  /// - Parameter path: a leading "~/" is the home directory, as in a shell.
  /// - Throws: ``CommandError/file(_:)``, for a mistake in the text with its line.
  public static func read(_ path: String) throws(CommandError) -> ParametricEQ {
    try parse(try content(of: path), of: path)
  }

  private static func content(of path: String) throws(CommandError) -> [UInt8] {
    let full = path.hasPrefix("~/") ? (variable("HOME") ?? "~") + path.dropFirst() : path
    do throws(FileError) {
      guard let content = try PrivateFile(path: full).read(atMost: ParametricEQ.longestText) else {
        throw .malformed(path: path, reason: "there is no such file")
      }
      return content
    } catch {
      throw .file(error)
    }
  }

  private static func parse(
    _ bytes: [UInt8], of path: String
  ) throws(CommandError) -> ParametricEQ {
    do throws(ParametricEQError) {
      return try ParametricEQ(parsing: bytes)
    } catch {
      throw .file(.malformed(path: path, reason: error.description))
    }
  }
}
