package import Companion
internal import EventLoop
internal import HeadphoneProtocols
internal import Persistence

extension LiveEffectHandler {
  /// Reads the presets; answered by ``/Companion/EqualiserEvent/saved(_:)`` or `failed`.
  func readEQs(_ send: @escaping Send) { keepEQs(nil, send) }

  func changeEQs(_ change: SavedEQChange, _ send: @escaping Send) { keepEQs(change, send) }

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

  /// Reads and parses a text; the reducer fits it to the bands.
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
/// Only regular files are read, up to ``/Companion/ParametricEQ/longestText`` bytes.
package enum ParametricEQFile {
  /// Reads and parses a file; see ``read(_:)``.
  ///
  /// Parsing a graphic equaliser takes time, which does not count towards the disk's time limit.
  package static func load(_ path: String) async throws(CommandError) -> ParametricEQ {
    let bytes = try await FileIO.named.open(path) { () throws(CommandError) in
      try content(of: path)
    }
    return try await FileIO.shared.run { () throws(CommandError) in try parse(bytes, of: path) }
  }

  /// Reads and parses a file; a leading "~/" of the path is the home directory.
  package static func read(_ path: String) throws(CommandError) -> ParametricEQ {
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
      throw .unavailable("\(displayable(path)): \(error)\n\(forms)")
    }
  }

  private static let forms =
    "it takes a text of AutoEq, EqualizerAPO or Room EQ Wizard, with lines such as "
    + "\"Filter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.70\" or \"GraphicEQ: 20 -6.1; 25 -5.8\""
}
