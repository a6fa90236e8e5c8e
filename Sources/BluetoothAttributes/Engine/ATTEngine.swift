public import BluetoothCodec
internal import BluetoothRadio

/// The client end of an ATT bearer as a value, which turns PDUs and times into effects.
///
/// At most one request is outstanding; others wait in order (Core 5.4, Vol 3, Part F, 3.3.2). PDUs
/// are dispatched by opcode first, so that only a response completes a request:
///
/// | PDU | effects |
/// | --- | --- |
/// | the awaited response, or its Error Response | `complete`, `transmit` of the next request |
/// | any other response | `report` |
/// | Handle Value Notification | `deliver` |
/// | Multiple Handle Value Notification | `deliver` for each value |
/// | Handle Value Indication | `transmit` of the confirmation, then `deliver` |
/// | Exchange MTU Request | `transmit` of the response |
/// | any other request | `transmit` of «Request Not Supported», `report` |
/// | command | `report` |
/// | malformed, or longer than the ATT_MTU | `report`; `complete` if it is the awaited response |
///
/// Times count from any fixed moment. The owner calls ``timePassed(at:)`` at ``nextDeadline``.
/// After ``close(_:)``, only failed completions follow.
///
/// ```swift
/// var engine = ATTEngine()
/// let id = ATTRequestID(rawValue: 1)
/// let sent = engine.send(.read(handle: 3), as: id, at: .zero)
/// // sent == [.transmit([0x0A, 0x03, 0x00])]
/// let received = engine.receive([0x0B, 0x64], at: .milliseconds(30))
/// // received == [.complete(id, .success(.read(value: [0x64])))]
/// ```
public struct ATTEngine: Sendable {
  /// The ATT_MTU on LE before an exchange, in bytes (Core 5.4, Vol 3, Part G, 5.2.1).
  public static let defaultMTU = 23

  /// The longest PDU that this side accepts, in bytes.
  public let clientMTU: UInt16
  /// The timeout of a request, 30 s by default (Core 5.4, Vol 3, Part F, 3.3.3).
  public let requestTimeout: Duration
  /// The ATT_MTU in bytes: the smaller of both sides' offers, at least 23.
  public private(set) var mtu = defaultMTU
  /// Whether an Exchange MTU Request was sent.
  public private(set) var hasAskedForMTU = false
  public private(set) var statistics = ATTStatistics()
  /// The reason of the first close, after which no effect follows.
  public private(set) var closed: BearerClosed?

  private var outstanding: Outstanding?
  private var queue = FIFO<Waiting>()

  private struct Waiting: Sendable {
    var id: ATTRequestID
    var request: ATTRequest
  }

  private struct Outstanding: Sendable {
    var id: ATTRequestID?
    var request: ATTRequest
    var deadline: Duration?

    var opcode: ATTOpcode { request.opcode }
    var response: ATTOpcode { ATTOpcode(rawValue: opcode.rawValue + 1) }
  }

  /// Creates an engine with the default MTU and no requests.
  public init(clientMTU: UInt16 = 517, requestTimeout: Duration = .seconds(30)) {
    self.clientMTU = max(clientMTU, UInt16(Self.defaultMTU))
    self.requestTimeout = requestTimeout
  }

  /// The time to call ``timePassed(at:)``, or nil if no request was sent and awaits a response.
  public var nextDeadline: Duration? { outstanding?.deadline }

  public var hasOutstandingRequest: Bool { outstanding != nil }

  /// The request that was sent and had no response when the bearer was closed, or nil.
  public private(set) var unanswered: ATTRequest?

  // MARK: Requests

  /// Sends a request now, or after earlier ones.
  ///
  /// - Parameters:
  ///   - request: must fit the ATT_MTU.
  ///   - id: new for each request; exactly one `.complete` with it follows, now or later.
  public mutating func send(
    _ request: ATTRequest, as id: ATTRequestID, at now: Duration
  ) -> [ATTEffect] {
    if let closed { return [.complete(id, .failure(.closed(closed)))] }
    guard outstanding == nil else {
      queue.append(Waiting(id: id, request: request))
      return []
    }
    return [transmit(request, as: id, at: now)]
  }

  /// Stops the timeout of the outstanding request because the bearer holds it back.
  ///
  /// The transaction begins when the request is sent (Core 5.4, Vol 3, Part F, 3.3.3), but pairing
  /// may wait for a person for more than 30 s.
  public mutating func hold() { outstanding?.deadline = nil }

  /// Starts the timeout of a request that was held back.
  public mutating func requestWasSent(at now: Duration) {
    guard let outstanding, outstanding.deadline == nil else { return }
    self.outstanding?.deadline = now + requestTimeout
  }

  /// Completes a request that still waits with `servicesChanged`, as its handles have moved.
  public mutating func withdraw(_ id: ATTRequestID) -> [ATTEffect] {
    guard queue.remove(where: { $0.id == id }) != nil else { return [] }
    return [.complete(id, .failure(.servicesChanged))]
  }

  /// Completes a request with `cancelled`, and drops its response; the bearer stays usable.
  public mutating func cancel(_ id: ATTRequestID) -> [ATTEffect] {
    if outstanding?.id == id {
      outstanding?.id = nil
    } else if queue.remove(where: { $0.id == id }) == nil {
      return []
    }
    return [.complete(id, .failure(.cancelled))]
  }

  /// Closes the bearer if the outstanding request has no response by ``nextDeadline``.
  public mutating func timePassed(at now: Duration) -> [ATTEffect] {
    guard let deadline = nextDeadline, deadline <= now else { return [] }
    return close(.requestTimeout)
  }

  /// Closes the bearer once, and completes each request with the same reason.
  public mutating func close(_ reason: BearerClosed.Reason) -> [ATTEffect] {
    guard closed == nil else { return [] }
    let closed = BearerClosed(reason)
    self.closed = closed
    var waiters = queue.removeAll().map(\.id)
    unanswered = outstanding?.deadline == nil ? nil : outstanding?.request
    if let id = outstanding.take()?.id { waiters.insert(id, at: 0) }
    return [.close(reason)] + waiters.map { .complete($0, .failure(.closed(closed))) }
  }

  // MARK: Received PDUs

  /// Handles a PDU of the peer, even a malformed one; `now` is read only if a request is sent next.
  public mutating func receive(_ pdu: Bytes, at now: @autoclosure () -> Duration) -> [ATTEffect] {
    guard closed == nil else { return [] }
    guard let opcode = pdu.first.map(ATTOpcode.init(rawValue:)) else {
      return [reportMalformed(MalformedBytes("ATT PDU", at: 0, .badLength(0)), pdu)]
    }
    switch opcode {
    case _ where opcode.isCommand:
      statistics.ignoredCommands += 1
      return [.report(.ignoredCommand(opcode))]
    case .notification, .multipleNotifications: return receiveValues(pdu, opcode)
    case .indication:
      let confirmation = ATTEffect.transmit(Self.confirmation)
      return [confirmation] + receiveValues(pdu, opcode)
    case .confirmation:
      // This side never indicates.
      statistics.strayResponses += 1
      return [.report(.unsolicited(opcode))]
    case _ where opcode.sender == .server: return receiveResponse(pdu, opcode, at: now())
    case _ where opcode.rawValue.isMultiple(of: 2): return respond(to: pdu, opcode)
    default:
      let error = MalformedBytes("ATT PDU", at: 0, .unknownType(UInt64(opcode.rawValue)))
      return [reportMalformed(error, pdu)]
    }
  }

  private static let confirmation = Bytes(ATTClientPDU.confirmation.encoded())

  private mutating func transmit(
    _ request: ATTRequest, as id: ATTRequestID, at now: Duration
  ) -> ATTEffect {
    statistics.requests += 1
    if request.opcode == .exchangeMTURequest { hasAskedForMTU = true }
    outstanding = Outstanding(id: id, request: request, deadline: now + requestTimeout)
    return .transmit(Bytes(ATTClientPDU.request(request).encoded()))
  }

  private mutating func reportMalformed(_ error: MalformedBytes, _ pdu: Bytes) -> ATTEffect {
    statistics.malformed += 1
    return .report(.malformed(error, pdu: pdu))
  }

  private mutating func tooLong(_ pdu: Bytes, _ opcode: ATTOpcode) -> ATTEffect? {
    guard pdu.count > mtu else { return nil }
    statistics.malformed += 1
    return .report(.longerThanMTU(opcode, count: pdu.count, mtu: mtu))
  }

  // MARK: Values

  private mutating func receiveValues(_ pdu: Bytes, _ opcode: ATTOpcode) -> [ATTEffect] {
    if let incident = tooLong(pdu, opcode) { return [incident] }
    do throws(MalformedBytes) {
      switch try ATTServerPDU(decoding: pdu) {
      case .notification(let value):
        statistics.notifications += 1
        return [.deliver(value, isIndication: false)]
      case .multipleNotifications(let values):
        statistics.notifications += values.count
        return values.map { .deliver($0, isIndication: false) }
      case .indication(let value):
        statistics.indications += 1
        return [.deliver(value, isIndication: true)]
      case .response: return []
      }
    } catch {
      return [reportMalformed(error, pdu)]
    }
  }

  // MARK: Answers

  private mutating func receiveResponse(
    _ pdu: Bytes, _ opcode: ATTOpcode, at now: @autoclosure () -> Duration
  ) -> [ATTEffect] {
    guard let outstanding else {
      statistics.strayResponses += 1
      return [.report(.unsolicited(opcode))]
    }
    guard Self.isResponse(pdu, opcode, to: outstanding) else {
      statistics.strayResponses += 1
      return [.report(.foreign(opcode, awaited: outstanding.response))]
    }
    var effects: [ATTEffect] = []
    effects.reserveCapacity(2)
    let result: Result<ATTResponse, GATTError>
    if let incident = tooLong(pdu, opcode) {
      effects.append(incident)
      result = .failure(.unexpectedResponse("\(opcode) of \(pdu.count) bytes, MTU \(mtu)"))
    } else {
      do throws(MalformedBytes) {
        result = try decodeResponse(pdu)
      } catch {
        effects.append(reportMalformed(error, pdu))
        result = .failure(.unexpectedResponse("\(error)"))
      }
    }
    if let id = outstanding.id {
      effects.append(.complete(id, result))
    } else {
      effects.append(.report(.responseToCancelled(opcode)))
    }
    self.outstanding = nil
    if let next = queue.popFirst() {
      effects.append(transmit(next.request, as: next.id, at: now()))
    }
    return effects
  }

  /// Returns whether a PDU is the response to the outstanding request, even if it is malformed.
  private static func isResponse(
    _ pdu: Bytes, _ opcode: ATTOpcode, to outstanding: Outstanding
  ) -> Bool {
    guard opcode == .errorResponse else { return opcode == outstanding.response }
    guard let failed = pdu.dropFirst().first else { return true }
    return failed == outstanding.opcode.rawValue
  }

  private mutating func decodeResponse(
    _ pdu: Bytes
  ) throws(MalformedBytes) -> Result<ATTResponse, GATTError> {
    guard case .response(let response) = try ATTServerPDU(decoding: pdu) else {
      throw MalformedBytes("ATT response", at: 0, .unknownType(UInt64(pdu.first ?? 0)))
    }
    switch response {
    case .error(let error): return .failure(.att(error))
    case .exchangeMTU(let serverMTU): agree(on: serverMTU)
    default: break
    }
    return .success(response)
  }

  // MARK: The peer's requests

  private mutating func respond(to pdu: Bytes, _ opcode: ATTOpcode) -> [ATTEffect] {
    statistics.peerRequests += 1
    guard opcode == .exchangeMTURequest else {
      // The specification requires handle 0 here (Core 5.4, Vol 3, Part F, 3.3).
      return [refuse(opcode, .requestNotSupported), .report(.unsupportedRequest(opcode))]
    }
    do throws(MalformedBytes) {
      guard case .request(.exchangeMTU(let peerMTU)) = try ATTClientPDU(decoding: pdu) else {
        return [refuse(opcode, .invalidPDU)]
      }
      agree(on: peerMTU)
      return [transmit(.exchangeMTU(serverMTU: clientMTU))]
    } catch {
      return [refuse(opcode, .invalidPDU), reportMalformed(error, pdu)]
    }
  }

  private func refuse(_ opcode: ATTOpcode, _ code: ATTErrorCode) -> ATTEffect {
    transmit(.error(ATTErrorResponse(opcode: opcode, handle: 0, code: code)))
  }

  private func transmit(_ response: ATTResponse) -> ATTEffect {
    .transmit(Bytes(ATTServerPDU.response(response).encoded()))
  }

  /// Adopts the smaller of both MTUs, never below the default (Core 5.4, Vol 3, Part F, 3.4.2.2).
  private mutating func agree(on peerMTU: UInt16) {
    mtu = max(Self.defaultMTU, Int(min(clientMTU, peerMTU)))
  }
}

/// The identity of a request from ``ATTEngine/send(_:as:at:)`` to its completion.
public struct ATTRequestID: Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// An action that an ``ATTEngine`` requests, to be performed in the order of its array.
public enum ATTEffect: Hashable, Sendable {
  /// Send this PDU.
  case transmit(Bytes)
  case complete(ATTRequestID, Result<ATTResponse, GATTError>)
  /// Deliver a value from the server; an indication is already confirmed.
  case deliver(ATTHandleValue, isIndication: Bool)
  case report(ATTDiagnostic)
  case close(BearerClosed.Reason)
}
