public import BluetoothCodec

/// Something on the bearer that should not be, and that the link survives.
public enum ATTDiagnostic: Hashable, Sendable {
  /// Bytes that are no PDU.
  case malformed(MalformedBytes, pdu: Bytes)
  /// A PDU of `count` bytes, longer than ATT_MTU; its contents are not used.
  case longerThanMTU(ATTOpcode, count: Int, mtu: Int)
  /// A response though no request is outstanding.
  case unsolicited(ATTOpcode)
  /// A response to another request than the outstanding one.
  case foreign(ATTOpcode, awaited: ATTOpcode)
  /// The answer to a request whose caller was cancelled.
  case answerToCancelled(ATTOpcode)
  /// A request that this side, a client, does not serve; it was answered with an error.
  case unsupportedRequest(ATTOpcode)
  /// A command that this side does not know; the specification wants it ignored.
  case ignoredCommand(ATTOpcode)
  /// A value that nobody is subscribed to.
  case unclaimedValue(handle: UInt16)
  /// Values that a subscriber was too slow to take.
  case valuesLost(handle: UInt16, count: Int)
  /// The server refused what is only a convenience: change indications, robust caching.
  case conveniencesRefused(GATTError)
  /// A discovery after Service Changed that did not succeed.
  case rediscoveryFailed(GATTError)
}

extension ATTDiagnostic: CustomStringConvertible {
  /// One line for a log.
  public var description: String {
    switch self {
    case .malformed(let error, let pdu): "\(name(of: pdu)) left out: \(error)"
    case .longerThanMTU(let opcode, let count, let mtu):
      "\(opcode) of \(count) bytes, longer than the MTU of \(mtu): ignored"
    case .unsolicited(let opcode): "\(opcode) without a request: ignored"
    case .foreign(let opcode, let awaited): "\(opcode) while \(awaited) is awaited: ignored"
    case .answerToCancelled(let opcode): "\(opcode) after its caller was cancelled: dropped"
    case .unsupportedRequest(let opcode): "\(opcode) from the peripheral: not supported"
    case .ignoredCommand(let opcode): "\(opcode) from the peripheral: ignored"
    case .unclaimedValue(let handle): "a value of handle \(handle), to which nobody listens"
    case .valuesLost(let handle, let count): "\(count) values of handle \(handle) lost"
    case .conveniencesRefused(let error): "service changes are not watched: \(error)"
    case .rediscoveryFailed(let error): "discovery after Service Changed failed: \(error)"
    }
  }
}

extension ATTDiagnostic {
  /// Whether the bytes themselves were wrong.
  public var isMalformed: Bool {
    switch self {
    case .malformed, .longerThanMTU: true
    default: false
    }
  }

  /// "Handle Value Notification (2 bytes: 1B 05)"; of a long one the first 16 bytes.
  private func name(of pdu: Bytes) -> String {
    guard let opcode = pdu.first else { return "an empty PDU" }
    let shown = pdu.prefix(16).map { hexadecimal($0, width: 2) }.joined(separator: " ")
    let bytes = pdu.count == 1 ? "1 byte" : "\(pdu.count) bytes"
    let rest = pdu.count > 16 ? " …" : ""
    return "\(ATTOpcode(rawValue: opcode)) (\(bytes): \(shown)\(rest))"
  }
}

/// What has happened on a bearer, in numbers.
public struct ATTStatistics: Hashable, Sendable {
  /// Requests that were sent.
  public var requests = 0
  /// Values that were notified: each of a Multiple Handle Value Notification counts.
  public var notifications = 0
  /// Each was confirmed.
  public var indications = 0
  /// PDUs that could not be read, or were longer than ATT_MTU; they were dropped.
  public var malformed = 0
  /// Responses that belonged to no waiting caller.
  public var strayResponses = 0
  /// Requests from the peripheral.
  public var peerRequests = 0
  /// PDUs whose opcode has the command bit; they want no answer (Core 5.4, Vol 3, Part F, 3.3).
  public var ignoredCommands = 0

  public init() {}
}
