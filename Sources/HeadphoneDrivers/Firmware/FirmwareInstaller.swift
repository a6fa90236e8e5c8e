public import BluetoothCodec
internal import BluetoothRadio
public import HeadphoneProtocols

/// An installer that carries out a ``/HeadphoneProtocols/FirmwareUpdate`` over one or more links.
///
/// Frames are sent as fast as the local buffer accepts them, without polling.
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
public actor FirmwareInstaller {
  /// The reason why an update no longer needs a link.
  public enum LinkEnd: Hashable, Sendable {
    case finished(FirmwareOutcome)
    case reconnect
  }

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

  /// Creates an update that waits for its first link.
  public init(_ image: FirmwareImage, clock: any Clock<Duration> = ContinuousClock()) {
    update = FirmwareUpdate(image)
    timeline = ElapsedClock(clock)
  }

  public var progress: FirmwareProgress { update.progress(at: timeline.elapsed) }

  public var statistics: FirmwareSender.Statistics { update.statistics }

  /// Continues the update on a ready link, until it has ended or needs another link.
  ///
  /// Cancelling the task pauses the update; the headphone keeps the data that it has received.
  ///
  /// - Parameter report: called with the progress at each new phase and each new percent.
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
        // The update is done with this link, even though the link itself may continue.
        let further = update.linkLost(at: timeline.elapsed)
        for case .finished(let outcome) in further { return .finished(outcome) }
        return .reconnect
      case .finished(let outcome): return .finished(outcome)
      }
    }
    return nil
  }

  /// Writes the next frame once the local buffer has accepted the one before.
  private func write(on link: any FirmwareLink, _ sink: AsyncStream<Input>.Continuation) {
    guard !isWriting, let frame = update.nextFrame(at: timeline.elapsed) else { return }
    isWriting = true
    Task {
      // If the link has ended, its acknowledgements end, too.
      try? await link.write(frame)
      sink.yield(.written)
    }
  }

  private func watch(_ sink: AsyncStream<Input>.Continuation) {
    guard let deadline = update.nextDeadline else {
      timer?.task.cancel()
      timer = nil
      return
    }
    // If the deadline is later now, the timer fires early and is then set again.
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

  /// Ends the update because no further link can be made; returns nil if it does not end.
  public func giveUp() -> FirmwareOutcome? {
    for case .finished(let outcome) in update.linkUnavailable() { return outcome }
    return nil
  }
}

/// A ready link as an update needs it, valid until the link ends.
public protocol FirmwareLink: Sendable {
  /// Returns the link's capabilities, with the firmware revision read again.
  func describe() async throws(HeadphoneError) -> FirmwareUpdate.Link

  /// Carries out a command and returns the data of the response, without its status.
  func perform(_ request: FirmwareRequest) async throws(HeadphoneError) -> Bytes

  /// Writes a frame to FFF5, and returns when the local buffer has accepted it.
  func write(_ frame: FirmwareFrame) async throws(HeadphoneError)

  /// Returns the acknowledgements (event 0x08) from now on, until the link ends or the next call.
  func acknowledgements() async -> AsyncStream<FirmwareAcknowledgement>
}
