internal import Companion
internal import EventLoop
internal import HeadphoneProtocols
internal import Persistence

/// Saved equaliser presets, and curves to import.
extension LiveEffectHandler {
  func readEQs(_ send: @escaping Send) { keepEQs(nil, send) }

  func changeEQs(_ change: SavedEQChange, _ send: @escaping Send) { keepEQs(change, send) }

  private func keepEQs(_ change: SavedEQChange?, _ send: @escaping Send) {
    let presets = SavedEQs(in: world.known.folder)
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

  func importEQ(_ path: String, for id: HeadphoneID, _ send: @escaping Send) {
    tasks.run {
      do throws(CommandError) {
        let curve = try await FileIO.shared.run { () throws(CommandError) in
          try ParametricEQFile.read(path)
        }
        send(.equaliser(.imported(id, path: path, curve)))
      } catch {
        send(.equaliser(.rejected(id, reason: error.what)))
      }
    }
  }
}
