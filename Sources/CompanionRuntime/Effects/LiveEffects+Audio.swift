internal import AudioRoute
internal import Companion

extension LiveEffects {
  func perform(_ command: AudioCommand, _ send: @escaping Send) {
    if case .setSuspended(let sink, let isSuspended) = command {
      heldSink = isSuspended ? sink : nil
    }
    let audio = audio
    let previous = orders
    orders = Task {
      await previous?.value
      do throws(AudioError) {
        try await audio.perform(command)
      } catch {
        send(.audioCommandFailed(command, error))
      }
    }
  }

  /// A sink that stays held would be silent for every program, until somebody finds out why.
  func releaseHeldSink() async {
    await orders?.value
    guard let sink = heldSink else { return }
    heldSink = nil
    try? await audio.perform(.setSuspended(sink: sink, isSuspended: false))
  }
}
