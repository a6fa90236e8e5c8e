internal import Synchronization

/// An ``AudioRouteSource`` with a virtual server, for virtual headphones and tests.
///
/// The server's name is "virtual". Commands change its state as a real server would; a script
/// changes the rest:
///
/// ```swift
/// let source = ScriptedAudioSource(headphones: [("MyHeadphone", "F0:F1:F2:F3:F4:F5")])
/// source.change { $0.disconnect(address: "F0:F1:F2:F3:F4:F5") }
/// source.end(.serverEnded)
/// ```
public final class ScriptedAudioSource: AudioRouteSource {
  /// Begins with the virtual server's state.
  public let observations: AsyncStream<AudioObservation>
  private let continuation: AsyncStream<AudioObservation>.Continuation
  private let state: Mutex<State>

  private struct State {
    var server: VirtualSoundServer
    /// Nil: the server runs.
    var reason: AudioUnavailable?
    var last: AudioObservation?
  }

  /// Begins with the headphones connected, the sound going to the last of them.
  ///
  /// - Parameter headphones: the name and the public address ("F0:F1:F2:F3:F4:F5") of each.
  public init(headphones: [(name: String, address: String)] = []) {
    (observations, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    var server = VirtualSoundServer()
    for headphone in headphones {
      server.connect(name: headphone.name, address: headphone.address)
    }
    state = Mutex(State(server: server))
    state.withLock { publish(&$0) }
  }

  deinit { continuation.finish() }

  /// Changes the virtual server at once.
  ///
  /// - Throws: ``AudioError/unavailable(_:)`` after ``end(_:)``; ``AudioError/notFound(_:)`` as a
  ///   real one.
  public func perform(_ command: AudioCommand) async throws(AudioError) {
    try state.withLock { state throws(AudioError) in
      if let reason = state.reason { throw .unavailable(reason) }
      try state.server.perform(command)
      publish(&state)
    }
  }

  /// Changes the server's world, for example connects a headphone.
  public func change(_ body: (inout VirtualSoundServer) -> Void) {
    state.withLock { state in
      body(&state.server)
      publish(&state)
    }
  }

  /// The server is gone until `start()`.
  public func end(_ reason: AudioUnavailable) {
    state.withLock { state in
      state.reason = reason
      publish(&state)
    }
  }

  /// The server is there again, as it was.
  public func start() {
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
