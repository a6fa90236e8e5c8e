internal import AudioRoute
internal import Companion

extension LiveEffects {
  func perform(_ command: AudioCommand, _ send: @escaping Send) {
    let audio = audio
    Task {
      do throws(AudioError) {
        try await audio.perform(command)
      } catch {
        send(.audioCommandFailed(command, error))
      }
    }
  }
}
