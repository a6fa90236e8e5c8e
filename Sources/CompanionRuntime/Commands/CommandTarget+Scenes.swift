internal import AudioRoute
package import Companion
internal import HeadphoneProtocols

extension CommandTarget {
  /// Applies a scene of the configuration, and waits for the answers of headphone and sound server.
  ///
  /// - Returns: The parts that are not available, in words.
  ///
  /// - Throws: ``CommandError/command(_:)`` for the first change that the headphone refuses, after
  ///   all others were made; `unavailable` if the sound server refuses.
  package func apply(_ scene: Scene) async throws(CommandError) -> [String] {
    guard let number = state.preferences.scenes.firstIndex(of: scene).map({ $0 + 1 }) else {
      return []
    }
    if scene.output != nil || scene.profile != nil { await observeAudio() }
    while headphone?.isChanging == true { try await until { !$0.isChanging } }
    let missing = state.missing(of: scene, on: id)
    var changes: [(HeadphoneCommand, CommandToken)] = []
    var commands: [AudioCommand] = []
    ask(.scene(number)) { effect in
      switch effect {
      case .perform(_, let command, let token): changes.append((command, token))
      case .audio(let command): commands.append(command)
      default: return false
      }
      return true
    }
    var failure: CommandError?
    for (command, token) in changes {
      do throws(CommandError) { try await perform(command, token) } catch {
        failure = failure ?? error
      }
    }
    for command in commands { try await perform(command) }
    if let failure { throw failure }
    // A change that waits for another, such as gains for a preset, is still in progress.
    while headphone?.isChanging == true { try await until { !$0.isChanging } }
    return missing
  }

  package func scene(named name: String) async -> Scene? {
    await observeAudio()
    return headphone.flatMap { state.scene(named: name, of: $0.id) }
  }
}
