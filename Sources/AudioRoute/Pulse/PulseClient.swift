internal import CPulse
internal import Glibc

/// The client of the sound server, on its loop's thread, where calls into libpulse are synchronous.
actor PulseClient {
  private let loop: PulseLoop
  private let applicationName: String
  private let server: String?
  private let clock: any Clock<Duration>
  private let observations: AsyncStream<AudioObservation>.Continuation

  private var connection: PulseConnection?
  /// Whether a connection was ready at least once, which distinguishes "ended" from "not running".
  private var hasRun = false
  private var last = AudioObservation.unavailable(.notStarted)
  private var settling = SettlingDelays()
  /// Whether the server had enough time to name a default and did not.
  private var isDoubted = false
  private var pendingCommands = 0
  /// Whether the next state is reported even if it equals the last one.
  ///
  /// Otherwise a program that restores the old volume right after this one's command would go
  /// unnoticed, because the state in between is not queried.
  private var isReportDue = false

  /// The time without a response after which a server counts as unresponsive, but stays connected.
  static let timeout = Duration.seconds(5)
  /// The time for changes of profiles and codecs, which the server negotiates with the headphone.
  static let negotiationTimeout = Duration.seconds(30)

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(
    applicationName: String, server: String?, loop: PulseLoop, clock: any Clock<Duration>,
    observations: AsyncStream<AudioObservation>.Continuation
  ) {
    self.applicationName = applicationName
    self.server = server
    self.loop = loop
    self.clock = clock
    self.observations = observations
  }

  func run() async {
    guard loop.api != nil else {
      publish(.unavailable(pulseFailure.map(AudioUnavailable.noLibrary) ?? PulseSource.noThread))
      return observations.finish()
    }
    var delays = RetryDelays()
    while !Task.isCancelled {
      let address = ServerAddress(server: server) { getenv($0).map { String(cString: $0) } }
      // The watch starts before the attempt, so that no socket appears unnoticed in between.
      var watch = SocketWatch(for: address, on: loop)
      defer { watch.close() }
      let end = await follow(address) {
        watch.close()
        delays.serverRan()
      }
      guard !Task.isCancelled else { break }
      guard case .reason(let reason) = end else { continue }
      publish(.unavailable(reason))
      if watch.isClosed { watch = SocketWatch(for: address, on: loop) }
      // The socket of an unresponsive server exists already.
      let isWatched = watch.isComplete && reason != .unresponsive
      await wait(for: delays.wait(isWatched: isWatched), orUntil: watch)
      if watch.hasSeen { delays.hintCame() }
    }
    observations.finish()
  }

  /// Sends a command; after a time-out the server may still carry it out later.
  func perform(_ command: AudioCommand) async throws(AudioError) {
    guard let connection, case .ready = connection.state,
      last != .unavailable(.unresponsive)
    else { throw .unavailable(whyUnavailable) }
    let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Void, AudioError>.self)
    let work = Task(executorPreference: loop) { await self.perform(command, outcome) }
    let limit = after(command.isNegotiated ? Self.negotiationTimeout : Self.timeout) {
      outcome.finish()
    }
    defer {
      work.cancel()
      limit.cancel()
    }
    for await outcome in outcomes { return try outcome.get() }
    if !Task.isCancelled {
      publish(.unavailable(.unresponsive))
      connection.bell.ring()
    }
    throw .unavailable(.unresponsive)
  }

  private func perform(
    _ command: AudioCommand, _ outcome: AsyncStream<Result<Void, AudioError>>.Continuation
  ) async {
    pendingCommands += 1
    defer { pendingCommands -= 1 }
    do throws(AudioError) {
      guard let connection else { throw .unavailable(whyUnavailable) }
      try await perform(command, on: connection)
      outcome.yield(.success(()))
    } catch {
      outcome.yield(.failure(error))
    }
  }

  private func perform(
    _ command: AudioCommand, on connection: PulseConnection
  ) async throws(AudioError) {
    switch command {
    case .route(let sink): try await connection.route(to: sink)
    case .record(let source): try await connection.record(from: source)
    case .setVolume(let sink, let percent):
      try await connection.setVolume(of: sink, percent: percent)
      isReportDue = true
      connection.bell.ring()
    case .setMute(let sink, let isMuted):
      try await connection.setMute(of: sink, isMuted: isMuted)
    case .setSuspended(let sink, let isSuspended):
      try await connection.setSuspended(sink, to: isSuspended)
    case .setProfile(let card, let profile):
      try await connection.setProfile(of: card, to: profile)
    case .setCodec(let card, let codec): try await connection.setCodec(of: card, to: codec)
    case .setOffset(let card, let port, let milliseconds):
      try await connection.setOffset(of: card, port: port, milliseconds: milliseconds)
    }
  }

  private enum ConnectionEnd {
    case reason(AudioUnavailable)
    /// The server may report an outdated default on an old connection, so a new one is opened.
    case doubted
  }

  /// Follows one connection, from the attempt to its end; `whenReady` is called at each event.
  private func follow(_ address: ServerAddress, whenReady: () -> Void) async -> ConnectionEnd {
    // libpulse would reject the directory, and write a warning to the terminal.
    guard !address.isOfAnotherUser else { return .reason(.accessDenied) }
    guard let connection = PulseConnection(to: server, as: applicationName, on: loop) else {
      return .reason(.failed("out of memory"))
    }
    self.connection = connection
    var doubt: Task<Void, Never>?
    var limit: Task<Void, Never>? = limitQuery()
    defer {
      doubt?.cancel()
      limit?.cancel()
      isDoubted = false
      connection.close()
      self.connection = nil
    }
    for await _ in connection.bell.rings {
      doubt?.cancel()
      if isDoubted { return .doubted }
      switch connection.state {
      case .connecting: continue
      case .ended(let code): return .reason(reason(for: code, at: address))
      case .ready: break
      }
      hasRun = true
      whenReady()
      connection.subscribe()
      limit?.cancel()
      limit = limitQuery()
      do {
        var sound = try await connection.survey()
        if case .running(let earlier) = last { sound.steadyLatencies(since: earlier) }
        publish(.running(sound))
        doubt = settling.wait(after: sound).map { after($0) { await self.doubtConnection() } }
      } catch {
        // If the connection ended meanwhile, its own event reports that.
        if case .ready = connection.state { publish(.unavailable(error)) }
      }
      limit?.cancel()
    }
    return .reason(whyUnavailable)
  }

  private func limitQuery() -> Task<Void, Never> {
    after(Self.timeout) { await self.queryTimedOut() }
  }

  private func queryTimedOut() {
    if !Task.isCancelled { publish(.unavailable(.unresponsive)) }
  }

  private func doubtConnection() {
    // A command's changes cause events, after which the state is queried again.
    guard pendingCommands == 0 else { return }
    isDoubted = true
    connection?.bell.ring()
  }

  private func wait(for delay: Duration?, orUntil watch: SocketWatch) async {
    let timer = delay.map { after($0) { [bell = watch.bell] in bell.ring() } }
    for await _ in watch.bell.rings { break }
    timer?.cancel()
  }

  private func after(
    _ delay: Duration, do work: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never> {
    Task(executorPreference: loop) { [clock] in
      guard (try? await clock.sleep(for: delay)) != nil, !Task.isCancelled else { return }
      await work()
    }
  }

  private func publish(_ observation: AudioObservation) {
    guard observation != last || isReportDue else { return }
    isReportDue = false
    last = observation
    observations.yield(observation)
  }

  private var whyUnavailable: AudioUnavailable {
    if case .unavailable(let reason) = last { reason } else { .serverEnded }
  }

  private func reason(for code: pa_error_code_t, at address: ServerAddress) -> AudioUnavailable {
    let reason = AudioUnavailable(code, hasRun: hasRun)
    return reason == .noServer && address.isForbidden ? .accessDenied : reason
  }
}

extension ServerAddress {
  fileprivate var isOfAnotherUser: Bool {
    guard let runtimeDirectory else { return false }
    var status = stat()
    return stat(runtimeDirectory, &status) == 0 && status.st_uid != getuid()
  }

  fileprivate var isForbidden: Bool {
    sockets.contains { access($0, R_OK | W_OK) != 0 && errno == EACCES }
  }
}

extension AudioSnapshot {
  /// The largest change of a latency in ms that is ignored, because buffering varies.
  private static let latencyTolerance = 25

  fileprivate mutating func steadyLatencies(since earlier: AudioSnapshot) {
    for index in sinks.indices {
      guard let latency = sinks[index].latency,
        let before = earlier.sink(named: sinks[index].name)?.latency,
        abs(latency - before) <= Self.latencyTolerance
      else { continue }
      sinks[index].latency = before
    }
  }
}

extension AudioCommand {
  fileprivate var isNegotiated: Bool {
    switch self {
    case .setProfile, .setCodec: true
    case .route, .record, .setVolume, .setMute, .setSuspended, .setOffset: false
    }
  }
}
