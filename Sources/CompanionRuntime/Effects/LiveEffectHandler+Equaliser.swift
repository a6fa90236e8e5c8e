internal import Companion
internal import HeadphoneProtocols

/// Presets of a person: the file of them, and texts to import.
extension LiveEffectHandler {
  func readEQs(_ send: @escaping Send) { keepEQs(nil, send) }

  func changeEQs(_ change: SavedEQChange, _ send: @escaping Send) { keepEQs(change, send) }

  private func keepEQs(_ change: SavedEQChange?, _ send: @escaping Send) {
    let presets = SavedEQs(in: world.known.folder)
    let previous = saving
    saving = Task {
      await previous?.value
      do throws(FileError) {
        send(.equaliser(.saved(try await FileIO.shared.presets(presets, after: change))))
      } catch {
        send(.equaliser(.failed("\(error)")))
      }
    }
  }

  func importEQ(_ path: String, for id: HeadphoneID, _ send: @escaping Send) {
    Task {
      do throws(CommandError) {
        let curve = try await FileIO.shared.parametricEQ(at: path)
        send(.equaliser(.imported(id, path: path, curve)))
      } catch {
        send(.equaliser(.rejected(id, reason: error.what)))
      }
    }
  }
}

extension FileIO {
  func presets(
    _ presets: SavedEQs, after change: SavedEQChange?
  ) throws(FileError) -> [SavedEQ] {
    guard let change else { return try presets.all() }
    return try presets.apply(change)
  }

  func parametricEQ(at path: String) throws(CommandError) -> ParametricEQ {
    try ParametricEQFile.read(path)
  }
}
