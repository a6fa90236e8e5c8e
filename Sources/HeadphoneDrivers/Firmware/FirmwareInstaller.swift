internal import Bluetooth
public import BluetoothCodec
public import HeadphoneProtocols

/// Carries out a ``/HeadphoneProtocols/FirmwareUpdate`` over real links, one after another.
///
/// Frames go out as fast as the local buffer takes them; between frames nothing is polled.
///
/// ```swift
/// let installer = FirmwareInstaller(image)
/// while true {
///   let link = try await nextLink()
///   if case .finished(let outcome) = try await installer.run(on: link, report: show) {
///     return outcome
///   }
/// }
/// ```
///
/// The state machine has no I/O; this actor feeds it acknowledgements, answers and the time in one
/// order, and carries out its effects.
public actor FirmwareInstaller {
  /// How one link has ended for the update.
  public enum LinkEnd: Hashable, Sendable {
    /// The update is over, well or not.
    case finished(FirmwareOutcome)
    /// Connect again, and go on.
    case reconnect
  }

  /// Everything that moves the update on, in one stream.
  private enum Input: Sendable {
    case acknowledged(FirmwareAcknowledgement)
    case responded(FirmwareRequest, Result<Bytes, HeadphoneError>)
    case written
    case timePassed
    case linkEnded
  }

  private var update: FirmwareUpdate
  private let timeline: ElapsedClock
  private var isWriting = false
  private var timer: (deadline: Duration, task: Task<Void, Never>)?

  /// An update that waits for its first link.
  public init(_ image: FirmwareImage, clock: any Clock<Duration> = ContinuousClock()) {
    update = FirmwareUpdate(image)
    timeline = ElapsedClock(clock)
  }

  /// How far it is now, with the rate of the link that there is.
  public var progress: FirmwareProgress { update.progress(at: timeline.elapsed) }

  /// Over all links so far.
  public var statistics: FirmwareSender.Statistics { update.statistics }

  /// Goes on with the update on a link that is ready, until it is over or needs another link.
  ///
  /// Cancelling the task pauses the update; the headphone keeps what it has.
  ///
  /// - Parameter report: called with the progress, at each step and at each percent.
  public func run(
    on link: any FirmwareLink, report: @escaping @Sendable (FirmwareProgress) async -> Void
  ) async throws(HeadphoneError) -> LinkEnd {
    let description = try await link.describe()
    let (inputs, sink) = AsyncStream<Input>.makeStream()
    let acknowledgements = await link.acknowledgements()
    let listening = Task {
      for await acknowledgement in acknowledgements {
        sink.yield(.acknowledged(acknowledgement))
      }
      sink.yield(.linkEnded)
    }
    defer {
      listening.cancel()
      timer?.task.cancel()
      timer = nil
      isWriting = false
    }
    var reported = update.progress(at: timeline.elapsed)
    var effects = update.linkReady(description, at: timeline.elapsed)
    var iterator = inputs.makeAsyncIterator()
    while true {
      if let end = execute(effects, on: link, sink) { return end }
      write(on: link, sink)
      watch(sink)
      let progress = update.progress(at: timeline.elapsed)
      if progress.phase != reported.phase || progress.percent != reported.percent {
        reported = progress
        await report(progress)
      }
      guard let input = await iterator.next(isolation: self) else { throw .cancelled }
      effects = receive(input)
    }
  }

  /// Gives an input to the state machine.
  private func receive(_ input: Input) -> [FirmwareUpdate.Effect] {
    let now = timeline.elapsed
    switch input {
    case .acknowledged(let acknowledgement): return update.acknowledged(acknowledgement, at: now)
    case .responded(let request, let result): return update.receive(request, result, at: now)
    case .written:
      isWriting = false
      return []
    case .timePassed:
      timer = nil
      return update.elapse(to: now)
    case .linkEnded: return update.linkLost(at: now)
    }
  }

  /// Carries out effects.
  ///
  /// - Returns: How the link ends for the update; nil: it goes on.
  private func execute(
    _ effects: [FirmwareUpdate.Effect], on link: any FirmwareLink,
    _ sink: AsyncStream<Input>.Continuation
  ) -> LinkEnd? {
    for effect in effects {
      switch effect {
      case .submit(let request):
        Task {
          do throws(HeadphoneError) {
            sink.yield(.responded(request, .success(try await link.perform(request))))
          } catch {
            sink.yield(.responded(request, .failure(error)))
          }
        }
      case .reconnect:
        // Where the update itself wants another link, this one ends for it now.
        let further = update.linkLost(at: timeline.elapsed)
        for case .finished(let outcome) in further { return .finished(outcome) }
        return .reconnect
      case .finished(let outcome): return .finished(outcome)
      }
    }
    return nil
  }

  /// One frame at a time: the next one when the local buffer has taken it.
  private func write(on link: any FirmwareLink, _ sink: AsyncStream<Input>.Continuation) {
    guard !isWriting, let frame = update.nextFrame(at: timeline.elapsed) else { return }
    isWriting = true
    Task {
      // A link that has ended ends the acknowledgements too.
      try? await link.write(frame)
      sink.yield(.written)
    }
  }

  /// Keeps one timer, for the earliest deadline.
  private func watch(_ sink: AsyncStream<Input>.Continuation) {
    guard let deadline = update.nextDeadline else {
      timer?.task.cancel()
      timer = nil
      return
    }
    // A later deadline is looked at when the earlier one has come.
    if let timer, timer.deadline <= deadline { return }
    timer?.task.cancel()
    timer = (
      deadline,
      Task { [timeline] in
        try? await timeline.sleep(until: deadline)
        if !Task.isCancelled { sink.yield(.timePassed) }
      }
    )
  }

  /// No link could be made any more.
  public func giveUp() -> FirmwareOutcome? {
    for case .finished(let outcome) in update.linkUnavailable() { return outcome }
    return nil
  }
}

/// The parts of a ready link that an update needs.
///
/// A driver that supports updates returns one from `firmwareLink`; it is valid until the link ends.
/// The virtual headphone's tests implement it, too.
public protocol FirmwareLink: Sendable {
  /// The link's capabilities, with a fresh read of the firmware revision.
  func describe() async throws(HeadphoneError) -> FirmwareUpdate.Link

  /// Carries out a command; gives the response's data without its status.
  func perform(_ request: FirmwareRequest) async throws(HeadphoneError) -> Bytes

  /// Writes a frame to FFF5; returns when the local buffer has taken it.
  func write(_ frame: FirmwareFrame) async throws(HeadphoneError)

  /// Event 0x08, from now on and in order; finishes when the link ends, or at the next call.
  func acknowledgements() async -> AsyncStream<FirmwareAcknowledgement>
}
