internal import CPulse
internal import Glibc

/// Keeps a connection to the sound server and tells what it says, on the loop's thread.
actor PulseClient {
  private let loop: PulseLoop
  private let applicationName: String
  private let server: String?
  private let clock: any Clock<Duration>
  private let observations: AsyncStream<AudioObservation>.Continuation

  private var connection: PulseConnection?
  /// Whether a server has ever been reached.
  private var hasRun = false
  private var last = AudioObservation.unavailable(.notStarted)

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

  /// Connects again and again, until the task is cancelled.
  func run() async {
    var delays = RetryDelays()
    while !Task.isCancelled {
      let address = ServerAddress(server: server) { getenv($0).map { String(cString: $0) } }
      // Before the attempt, so that nothing appears unseen between the two.
      var watch = SocketWatch(for: address, on: loop)
      defer { watch.close() }
      let reason = await follow(address) {
        watch.close()
        delays.serverRan()
      }
      guard !Task.isCancelled else { break }
      publish(.unavailable(reason))
      if watch.isClosed { watch = SocketWatch(for: address, on: loop) }
      await wait(for: delays.wait(isWatched: watch.isComplete), orUntil: watch)
      if watch.hasSeen { delays.hintCame() }
    }
    observations.finish()
  }

  /// Carries out a command, in a number of round trips to the server.
  func perform(_ command: AudioCommand) async throws(AudioError) {
    guard let connection, case .ready = connection.state else {
      throw .unavailable(whyUnavailable)
    }
    switch command {
    case .route(let sink): try await connection.route(to: sink)
    case .setVolume(let sink, let percent):
      try await connection.setVolume(of: sink, percent: percent)
    case .setMute(let sink, let isMuted):
      try await connection.setMute(of: sink, isMuted: isMuted)
    case .setProfile(let card, let profile):
      try await connection.setProfile(of: card, to: profile)
    }
  }

  /// One connection, from the attempt to its end; returns why it ended.
  private func follow(_ address: ServerAddress, whenReady: () -> Void) async -> AudioUnavailable {
    // Here libpulse would write to the terminal, and refuse.
    guard !address.isOfAnotherUser else { return .accessDenied }
    guard let connection = PulseConnection(to: server, as: applicationName, on: loop) else {
      return .failed("out of memory")
    }
    self.connection = connection
    defer {
      connection.close()
      self.connection = nil
    }
    for await _ in connection.bell.rings {
      switch connection.state {
      case .connecting: continue
      case .ended(let code): return reason(for: code, at: address)
      case .ready: break
      }
      hasRun = true
      whenReady()
      connection.subscribe()
      do {
        publish(.running(try await connection.survey()))
      } catch {
        // If the connection ended meanwhile, the bell has rung for that.
        if case .ready = connection.state { publish(.unavailable(error)) }
      }
    }
    return whyUnavailable
  }

  /// Waits for the delay (nil: for ever), or until something appears.
  private func wait(for delay: Duration?, orUntil watch: SocketWatch) async {
    let timer = delay.map { delay in
      Task(executorPreference: loop) { [clock, bell = watch.bell] in
        try? await clock.sleep(for: delay)
        bell.ring()
      }
    }
    for await _ in watch.bell.rings { break }
    timer?.cancel()
  }

  private func publish(_ observation: AudioObservation) {
    guard observation != last else { return }
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

  /// Whether a socket is there that this user may not use.
  fileprivate var isForbidden: Bool {
    sockets.contains { access($0, R_OK | W_OK) != 0 && errno == EACCES }
  }
}
