internal import Locking

/// An ``AudioRouteSource`` with a virtual server, for virtual headphones and tests.
///
/// Commands change the server, whose name is "virtual", as they would a real one; a script changes
/// the rest:
///
/// ```swift
/// let source = ScriptedAudioSource(headphones: [("MyHeadphone", "F0:F1:F2:F3:F4:F5")])
/// source.change { $0.disconnect(address: "F0:F1:F2:F3:F4:F5") }
/// source.end(.serverEnded)
/// ```
///
/// All methods may be called from any thread; observations arrive in the order of the changes.
public final class ScriptedAudioSource: AudioRouteSource {
  /// The virtual server's state and then each change; the newest only for a slow consumer.
  public let observations: AsyncStream<AudioObservation>
  private let continuation: AsyncStream<AudioObservation>.Continuation
  private let state: Mutex<State>

  private struct State {
    var server: VirtualSoundServer
    /// Why the server is not available; `nil` while it runs.
    var reason: AudioUnavailable?
    var last: AudioObservation?
  }

  /// Starts with the headphones connected and the sound going to the last of them.
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

  /// Carries out a command at once.
  ///
  /// - Parameter command: the request, by the names of the latest snapshot.
  /// - Throws: ``AudioError/unavailable(_:)`` after ``end(_:)``; ``AudioError/notFound(_:)`` as a
  ///   real server does.
  public func perform(_ command: AudioCommand) async throws(AudioError) {
    try state.withLock { state throws(AudioError) in
      if let reason = state.reason { throw .unavailable(reason) }
      try state.server.perform(command)
      publish(&state)
    }
  }

  /// Changes the virtual server from outside, for example connects a headphone.
  ///
  /// - Parameter body: changes the server, under a lock: it must not call this source.
  public func change(_ body: (inout VirtualSoundServer) -> Void) {
    state.withLock { state in
      body(&state.server)
      publish(&state)
    }
  }

  /// Makes the server unavailable until ``start()``, with its state kept.
  public func end(_ reason: AudioUnavailable) {
    state.withLock { state in
      state.reason = reason
      publish(&state)
    }
  }

  /// Makes the server available again, in the state it was in.
  public func start() {
    state.withLock { state in
      state.reason = nil
      publish(&state)
    }
  }

  /// Yields the current observation unless it equals the previous one.
  private func publish(_ state: inout State) {
    let now =
      state.reason.map(AudioObservation.unavailable) ?? .running(state.server.snapshot)
    guard now != state.last else { return }
    state.last = now
    continuation.yield(now)
  }
}
