/// The real sound server, PulseAudio or PipeWire, over libpulse.
///
/// It follows the server's own events and never polls; while no server runs it waits for the
/// server's socket to appear. Nothing here blocks: libpulse has a thread of its own.
///
/// ```swift
/// let source = PulseSource(applicationName: "earshot")
/// for await observation in source.observations { … }
/// ```
public final class PulseSource: AudioRouteSource {
  /// Observes the server; the first element is its state, or why that is unknown.
  public let observations: AsyncStream<AudioObservation>
  private let client: PulseClient?
  private let work: Task<Void, Never>?

  /// Begins to look for the server at once.
  ///
  /// - Parameters:
  ///   - applicationName: as the server's other clients see this one.
  ///   - server: as `PULSE_SERVER` has it; nil: where libpulse finds it.
  ///   - clock: measures the time between attempts to connect; nil: real time.
  public init(
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
      clock: clock ?? LoopClock(on: loop),
      observations: continuation)
    self.client = client
    work = Task(executorPreference: loop) { await client.run() }
  }

  deinit { work?.cancel() }

  /// Asks the server and waits for its answer.
  ///
  /// - Throws: ``AudioError/unavailable(_:)`` at once while no server is connected.
  public func perform(_ command: AudioCommand) async throws(AudioError) {
    guard let client else { throw .unavailable(PulseSource.noThread) }
    try await client.perform(command)
  }

  private static let noThread = AudioUnavailable.failed(
    "no descriptor or thread is left for the sound server's library")
}
