internal import Bluetooth
internal import BluetoothCodec

/// The requests of a client on one bearer: an ``ATTEngine`` with its bearer and the callers'
/// promises.
///
/// It is a part of the ``GATTClient`` actor, which alone calls it, on the bearer's executor.
/// Nothing here suspends: the caller of ``send(_:_:)`` awaits the promise that it returns. Each
/// method returns the events that are left to the client, in order.
final class ATTRequests {
  /// The response, or the reason why there is none.
  typealias Outcome = Result<ATTResponse, GATTError>

  /// An event that is left to the client.
  enum Event {
    /// A notification or an indication; the confirmation has been sent.
    case value(ATTHandleValue, isIndication: Bool)
    /// The bearer is closed, and all requests have failed.
    case closed(BearerClosed)
  }

  /// A request without a response, queued or sent.
  private struct Pending {
    var id: ATTRequestID
    var request: ATTRequest
    var recovery: RequestRecovery
    var promise: ResponsePromise<Outcome>
  }

  /// The channel to the server.
  private let bearer: any Bearer
  private let executor: any SerialExecutor
  private let timeline: ElapsedClock
  /// The consumer of protocol errors.
  private let report: (@Sendable (ATTDiagnostic) -> Void)?
  /// The callback for a request that the bearer held back.
  private let wasSent: @Sendable () -> Void
  /// The state of the protocol.
  private var engine: ATTEngine
  /// The requests without a response, in the order in which they were sent.
  private var pending: [Pending] = []
  /// The number of the last request.
  private var last: UInt64 = 0

  /// Requests on an open bearer.
  ///
  /// - Parameters:
  ///   - bearer: the channel to the server.
  ///   - timeline: the clock for time-outs.
  ///   - options: the MTU to ask for, and the consumer of protocol errors.
  ///   - wasSent: called on any thread when a request leaves that the bearer held back.
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

  /// ATT_MTU in bytes; 23 until it is exchanged.
  var mtu: Int { engine.mtu }

  /// Whether the exchange of the MTU was requested, which a client may do once.
  var hasAskedForMTU: Bool { engine.hasAskedForMTU }

  /// The counters of this bearer.
  var statistics: ATTStatistics { engine.statistics }

  /// The reason why the bearer is closed; `nil` while it is open.
  var closed: BearerClosed? { engine.closed }

  /// The time at which the outstanding request times out; `nil` if there is none.
  var nextDeadline: Duration? { engine.nextDeadline }

  /// Sends a request, or queues it behind others.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - recovery: kept for ``withdraw(where:)``.
  /// - Returns: the request's number, the promise of its response, and events.
  func send(
    _ request: ATTRequest, _ recovery: RequestRecovery
  ) -> (ATTRequestID, ResponsePromise<Outcome>, [Event]) {
    last += 1
    let id = ATTRequestID(rawValue: last)
    let promise = ResponsePromise<Outcome>(on: executor)
    pending.append(Pending(id: id, request: request, recovery: recovery, promise: promise))
    return (id, promise, perform(engine.send(request, as: id, at: timeline.elapsed)))
  }

  /// Gives up a request: its response is ignored, and a queued one is not sent.
  func cancel(_ id: ATTRequestID) -> [Event] { perform(engine.cancel(id)) }

  /// Removes queued requests whose handles have another meaning after a change of the services.
  func withdraw(where isStale: (ATTRequest, RequestRecovery) -> Bool) -> [Event] {
    pending.filter { isStale($0.request, $0.recovery) }.flatMap { perform(engine.withdraw($0.id)) }
  }

  /// Starts the time-out of a request that the bearer held back while security was raised.
  func requestWasSent() { engine.requestWasSent(at: timeline.elapsed) }

  /// Handles a PDU, or the end of the bearer.
  func receive(_ received: Result<Bytes, BearerClosed>) -> [Event] {
    switch received {
    case .success(let pdu): perform(engine.receive(pdu, at: timeline.elapsed))
    case .failure(let closed): close(closed.reason)
    }
  }

  /// Closes the bearer if the outstanding request has timed out (Core 5.4, Vol 3, Part F, 3.3.3).
  func checkDeadline() -> [Event] { perform(engine.timePassed(at: timeline.elapsed)) }

  /// Closes the bearer and fails all requests with this reason.
  func close(_ reason: BearerClosed.Reason) -> [Event] { perform(engine.close(reason)) }

  /// Carries out the engine's effects, and returns those that are left to the client.
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

  /// Sends a PDU; informs the engine if the bearer holds a request back.
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
