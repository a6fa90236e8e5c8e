/// A real sound server, PulseAudio or PipeWire, over libpulse.
///
/// It follows the server's events and never polls; while no server runs it waits for the server's
/// socket to appear. No call blocks, since libpulse has a thread of its own. Observation ends when
/// the source is released.
///
/// ```swift
/// let source = PulseSource(applicationName: "earshot")
/// for await observation in source.observations {
///   switch observation {
///   case .running(let sound): print(sound.route?.name ?? "no default sink")
///   case .unavailable(let reason): print(reason)
///   }
/// }
/// ```
public final class PulseSource: AudioRouteSource {
  /// Observes the server; the first element is its state, or why that is unknown.
  public let observations: AsyncStream<AudioObservation>
  private let client: PulseClient?
  private let work: Task<Void, Never>?

  /// Starts to look for the server at once.
  ///
  /// - Parameters:
  ///   - applicationName: as the server's other clients see this one, for example in pavucontrol.
  ///   - server: in the form of `PULSE_SERVER`; `nil` lets libpulse find it.
  ///   - clock: measures the time between attempts to connect; `nil` is real time.
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
      clock: clock ?? PulseClock(on: loop),
      observations: continuation)
    self.client = client
    work = Task(executorPreference: loop) { await client.run() }
  }

  deinit { work?.cancel() }

  /// Carries out a command and waits for the server's answer.
  ///
  /// - Parameter command: the request, by the names of the latest snapshot.
  /// - Throws: ``AudioError/unavailable(_:)`` at once while no server is connected, and after
  ///   some seconds if it does not respond; else as ``AudioRouteSource/perform(_:)``.
  public func perform(_ command: AudioCommand) async throws(AudioError) {
    guard let client else { throw .unavailable(PulseSource.noThread) }
    try await client.perform(command)
  }

  static let noThread = AudioUnavailable.failed(
    "no descriptor or thread is left for the sound server's library")
}
