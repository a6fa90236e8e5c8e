internal import BluetoothCodec
internal import GATT

/// A driver that carries out the exchanges of a language, one at a time.
protocol Exchanging: DeadlineKeeping {
  var desk: ExchangeDesk { get set }
  var waiters: [ExchangeDesk.Ticket: CheckedContinuation<HeadphoneError?, Never>] { get set }
  /// Why the driver has ended; nil: it has not.
  var ended: HeadphoneError? { get }

  /// Hands a value over to the headphone; no answer yet.
  func write(_ value: Bytes) async throws(HeadphoneError)
}

extension Exchanging {
  var nextDeadline: Duration? { desk.nextDeadline }

  func elapse(to now: Duration) { carryOut(desk.elapse(to: now)) }

  /// Carries out one exchange; returns when it is answered.
  func carryOut(_ exchange: Exchange, attempts: Int) async throws(HeadphoneError) {
    if Task.isCancelled { throw .cancelled }
    if let ended { throw ended }
    let (ticket, effects) = desk.submit(exchange, attempts: attempts, at: timeline.now())
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        waiters[ticket] = waiter
        carryOut(effects)
      }
    } onCancel: {
      Task { await self.finish(ticket, .cancelled) }
    }
    if let error { throw error }
  }

  /// Carries out questions; what is not answered is not there.
  func ask(_ questions: [Exchange], attempts: Int = 2) async throws(HeadphoneError) {
    for question in questions {
      do throws(HeadphoneError) {
        try await carryOut(question, attempts: attempts)
      } catch .noResponse {
        continue
      }
    }
  }

  func carryOut(_ effects: [ExchangeDesk.Effect]) {
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

  private func write(_ values: [Bytes], of ticket: ExchangeDesk.Ticket) async {
    do throws(HeadphoneError) {
      for value in values { try await write(value) }
    } catch {
      finish(ticket, error)
    }
  }

  private func finish(_ ticket: ExchangeDesk.Ticket, _ error: HeadphoneError) {
    carryOut(desk.finish(ticket, error, at: timeline.now()))
  }
}
