internal import Bluetooth
internal import BluetoothCodec
internal import HeadphoneProtocols

/// A driver that carries out the exchanges of a language, one at a time.
protocol RequestResponding: TimeoutDriven {
  var queue: RequestQueue { get set }
  var waiters: [RequestQueue.Ticket: CheckedContinuation<HeadphoneError?, Never>] { get set }
  /// Why the driver has ended; nil: it has not.
  var ended: HeadphoneError? { get }

  /// Hands a value over to the headphone; no answer yet.
  func write(_ value: Bytes) async throws(HeadphoneError)
}

extension RequestResponding {
  var nextDeadline: Duration? { queue.nextDeadline }

  func elapse(to now: Duration) { execute(queue.elapse(to: now)) }

  /// Carries out one exchange; returns when it is answered.
  ///
  /// - Parameters:
  ///   - exchange: What to write, and the report that proves it.
  ///   - attempts: How often it is written at most.
  /// - Throws: `noResponse` after the last attempt, `cancelled` with the task, or the channel's
  ///   end.
  func execute(_ exchange: Exchange, attempts: Int) async throws(HeadphoneError) {
    if Task.isCancelled { throw .cancelled }
    if let ended { throw ended }
    let (ticket, effects) = queue.submit(exchange, attempts: attempts, at: timeline.elapsed)
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        waiters[ticket] = waiter
        execute(effects)
      }
    } onCancel: {
      Task { await self.finish(ticket, .cancelled) }
    }
    if let error { throw error }
  }

  /// Carries out questions; what is not answered is not there.
  ///
  /// - Throws: Anything but `noResponse`.
  func ask(_ questions: [Exchange], attempts: Int = 2) async throws(HeadphoneError) {
    for question in questions {
      do throws(HeadphoneError) {
        try await execute(question, attempts: attempts)
      } catch .noResponse {
        continue
      }
    }
  }

  /// Begins writes and resumes callers, then sets the timer for the next deadline.
  func execute(_ effects: [RequestQueue.Effect]) {
    for effect in effects {
      switch effect {
      case .write(let ticket, let values):
        guard !values.isEmpty else { continue }
        Task { await write(values, of: ticket) }
      case .finished(let ticket, let error):
        waiters.removeValue(forKey: ticket)?.resume(returning: error)
      }
    }
    watchDeadline()
  }

  /// Writes the values of an exchange in order.
  private func write(_ values: [Bytes], of ticket: RequestQueue.Ticket) async {
    do throws(HeadphoneError) {
      for value in values { try await write(value) }
    } catch {
      finish(ticket, error)
    }
  }

  /// Ends an exchange that could not be written, or whose caller was cancelled.
  private func finish(_ ticket: RequestQueue.Ticket, _ error: HeadphoneError) {
    execute(queue.finish(ticket, error, at: timeline.elapsed))
  }
}
