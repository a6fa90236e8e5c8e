internal import AudioRoute
internal import Companion
internal import HeadphoneProtocols
internal import Persistence

extension LiveEffectHandler {
  /// Sends a command to the sound server after the previous ones.
  ///
  /// The name of a suspended sink is first written to a file: if this process is killed, the next
  /// one resumes the sink.
  func perform(_ command: AudioCommand, _ send: @escaping Send) {
    let audio = audio
    let heldSink = heldSink
    let previous = audioCommands
    audioCommands = Task {
      await previous?.value
      if case .setSuspended(let sink, isSuspended: true) = command { await heldSink.note(sink) }
      do throws(AudioError) {
        try await audio.perform(command)
        if case .setSuspended(_, isSuspended: false) = command {
          await heldSink.clear()
        }
      } catch {
        if case .setSuspended(_, let isSuspended) = command, isSuspended || error.endsSuspension {
          await heldSink.clear()
        }
        send(.audioCommandFailed(command, error))
      }
    }
  }

  /// Resumes a suspended sink at the end of the program, as it would stay silent for all programs.
  func releaseHeldSink() async {
    await audioCommands?.value
    guard let sink = heldSink.name else { return }
    do throws(AudioError) {
      try await audio.perform(.setSuspended(sink: sink, isSuspended: false))
    } catch  where !error.endsSuspension {
      // The next run resumes the sink.
      return
    } catch {}
    await heldSink.clear()
  }

  /// Resumes a sink that a killed process left suspended.
  func releaseLeftover(_ send: @escaping Send) async {
    guard let sink = await heldSink.adoptLeftover() else { return }
    send(
      .noted(
        .info, nil,
        "resuming \(displayable(sink)), which a killed earshot had suspended"))
    perform(.setSuspended(sink: sink, isSuspended: false)) { action in
      // A sink that no longer exists need not be resumed.
      if case .audioCommandFailed(_, .notFound) = action { return }
      send(action)
    }
  }
}

extension AudioError {
  fileprivate var endsSuspension: Bool {
    switch self {
    case .notFound, .unavailable(.noServer), .unavailable(.serverEnded): true
    case .unavailable, .refused: false
    }
  }
}
