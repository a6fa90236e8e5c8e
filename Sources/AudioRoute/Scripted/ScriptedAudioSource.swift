internal import Locking

/// A source with a virtual server named "virtual", for virtual headphones and tests.
///
/// ```swift
/// let source = ScriptedAudioSource(headphones: [("MyHeadphone", "F0:F1:F2:F3:F4:F5")])
/// source.change { $0.disconnect(address: "F0:F1:F2:F3:F4:F5") }
/// source.end(.serverEnded)
/// ```
///
/// All methods may be called from any thread; observations arrive in the order of the changes.
package final class ScriptedAudioSource: AudioRouteSource {
  package let observations: AsyncStream<AudioObservation>
  private let continuation: AsyncStream<AudioObservation>.Continuation
  private let state: Mutex<State>

  private struct State {
    var server: VirtualSoundServer
    var reason: AudioUnavailable?
    var last: AudioObservation?
  }

  /// Creates a server with connected headphones of a name and public address; the last one plays.
  package convenience init(headphones: [(name: String, address: String)] = []) {
    var server = VirtualSoundServer()
    for headphone in headphones {
      server.connect(name: headphone.name, address: headphone.address)
    }
    self.init(server)
  }

  package init(_ server: VirtualSoundServer) {
    (observations, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    state = Mutex(State(server: server))
    state.withLock { publish(&$0) }
  }

  deinit { continuation.finish() }

  package func perform(_ command: AudioCommand) async throws(AudioError) {
    try state.withLock { state throws(AudioError) in
      if let reason = state.reason { throw .unavailable(reason) }
      try state.server.perform(command)
      publish(&state)
    }
  }

  /// Changes the virtual server under a lock, so `body` must not call this source.
  package func change(_ body: (inout VirtualSoundServer) -> Void) {
    state.withLock { state in
      body(&state.server)
      publish(&state)
    }
  }

  /// Makes the server unavailable until ``start()``, but keeps its state.
  package func end(_ reason: AudioUnavailable) {
    state.withLock { state in
      state.reason = reason
      publish(&state)
    }
  }

  package func start() {
    state.withLock { state in
      state.reason = nil
      publish(&state)
    }
  }

  private func publish(_ state: inout State) {
    let now =
      state.reason.map(AudioObservation.unavailable) ?? .running(state.server.snapshot)
    guard now != state.last else { return }
    state.last = now
    continuation.yield(now)
  }
}
