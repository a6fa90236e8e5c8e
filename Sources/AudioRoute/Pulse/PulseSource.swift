/// A source for a real sound server, PulseAudio or PipeWire, over libpulse.
///
/// It follows the server's events and never polls. While no server runs, it waits for the server's
/// socket to appear. Observation ends when the source is released.
package final class PulseSource: AudioRouteSource {
  package let observations: AsyncStream<AudioObservation>
  private let client: PulseClient?
  private let work: Task<Void, Never>?

  /// Starts to look for the server at once.
  ///
  /// - Parameters:
  ///   - applicationName: the name that the server's other clients see, for example pavucontrol.
  ///   - server: the address in the form of `PULSE_SERVER`, or nil to let libpulse find it.
  package init(
    applicationName: String, server: String? = nil,
    clock: (any Clock<Duration>)? = nil
  ) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: AudioObservation.self, bufferingPolicy: .bufferingNewest(1))
    observations = stream
    guard let loop = PulseLoop.shared else {
      continuation.yield(.unavailable(PulseSource.noThread))
      (client, work) = (nil, nil)
      return
    }
    let client = PulseClient(
      applicationName: applicationName, server: server, loop: loop,
      clock: clock ?? PulseClock(on: loop),
      observations: continuation)
    self.client = client
    work = Task(executorPreference: loop) { await client.run() }
  }

  deinit { work?.cancel() }

  /// Sends a command; throws ``AudioError/unavailable(_:)`` without a server or its response.
  package func perform(_ command: AudioCommand) async throws(AudioError) {
    guard let client else { throw .unavailable(PulseSource.noThread) }
    try await client.perform(command)
  }

  static let noThread = AudioUnavailable.failed(
    "no descriptor or thread is left for the sound server's library")
}
