internal import BluetoothCodec
internal import BluetoothRadio

/// The requests of a client on one bearer: an ``ATTEngine`` and the callers' promises.
///
/// Only the ``GATTClient`` actor uses it, on the bearer's executor, and nothing here suspends. Each
/// method returns the events that are left to the client, in order.
final class ATTRequests {
  typealias Outcome = Result<ATTResponse, GATTError>

  enum Event {
    /// A notification or an indication, which has been confirmed.
    case value(ATTHandleValue, isIndication: Bool)
    case closed(BearerClosed)
  }

  private struct Pending {
    var id: ATTRequestID
    var request: ATTRequest
    var recovery: RequestRecovery
    var promise: ResponsePromise<Outcome>
  }

  private let bearer: any Bearer
  private let executor: any SerialExecutor
  private let timeline: ElapsedClock
  private let report: (@Sendable (ATTDiagnostic) -> Void)?
  private let wasSent: @Sendable () -> Void
  private var engine: ATTEngine
  private var pending: [Pending] = []
  private var last: UInt64 = 0

  init(
    on bearer: any Bearer, timeline: ElapsedClock, options: GATTOptions,
    wasSent: @escaping @Sendable () -> Void
  ) {
    self.bearer = bearer
    executor = bearer.executor
    self.timeline = timeline
    self.wasSent = wasSent
    report = options.report
    engine = ATTEngine(clientMTU: options.mtu)
  }

  var mtu: Int { engine.mtu }

  var hasAskedForMTU: Bool { engine.hasAskedForMTU }

  var statistics: ATTStatistics { engine.statistics }

  var closed: BearerClosed? { engine.closed }

  var unanswered: ATTRequest? { engine.unanswered }

  var nextDeadline: Duration? { engine.nextDeadline }

  /// Sends a request, or queues it behind others, and returns its number, its promise and events.
  func send(
    _ request: ATTRequest, _ recovery: RequestRecovery
  ) -> (ATTRequestID, ResponsePromise<Outcome>, [Event]) {
    last += 1
    let id = ATTRequestID(rawValue: last)
    let promise = ResponsePromise<Outcome>(on: executor)
    pending.append(Pending(id: id, request: request, recovery: recovery, promise: promise))
    return (id, promise, perform(engine.send(request, as: id, at: timeline.elapsed)))
  }

  func cancel(_ id: ATTRequestID) -> [Event] { perform(engine.cancel(id)) }

  func withdraw(where isStale: (ATTRequest, RequestRecovery) -> Bool) -> [Event] {
    pending.filter { isStale($0.request, $0.recovery) }.flatMap { perform(engine.withdraw($0.id)) }
  }

  func requestWasSent() { engine.requestWasSent(at: timeline.elapsed) }

  func receive(_ received: Result<Bytes, BearerClosed>) -> [Event] {
    switch received {
    case .success(let pdu): perform(engine.receive(pdu, at: timeline.elapsed))
    case .failure(let closed): close(closed.reason)
    }
  }

  func checkDeadline() -> [Event] { perform(engine.timePassed(at: timeline.elapsed)) }

  func close(_ reason: BearerClosed.Reason) -> [Event] { perform(engine.close(reason)) }

  private func perform(_ effects: [ATTEffect]) -> [Event] {
    var events: [Event] = []
    for effect in effects {
      switch effect {
      case .transmit(let pdu): events += post(pdu)
      case .complete(let id, let result):
        guard let index = pending.firstIndex(where: { $0.id == id }) else { continue }
        pending.remove(at: index).promise.fulfil(result)
      case .deliver(let value, let isIndication):
        events.append(.value(value, isIndication: isIndication))
      case .report(let incident): report?(incident)
      case .close(let reason):
        bearer.close(reason)
        events.append(.closed(BearerClosed(reason)))
      }
    }
    return events
  }

  /// Sends a PDU, and tells the engine if the bearer holds a request back.
  private func post(_ pdu: Bytes) -> [Event] {
    do throws(BearerClosed) {
      let isSent = try bearer.post(pdu, whenSent: wasSent)
      if !isSent, pdu.first.map(ATTOpcode.init(rawValue:))?.isRequest == true { engine.hold() }
      return []
    } catch {
      return close(error.reason)
    }
  }
}
