internal import Companion
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
