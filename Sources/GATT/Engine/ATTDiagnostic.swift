public import BluetoothCodec

/// A diagnostic: something on the bearer that should not happen, and that does not end the link.
public enum ATTDiagnostic: Hashable, Sendable {
  /// Bytes that cannot be decoded.
  case malformed(MalformedBytes, pdu: Bytes)
  /// A PDU of `count` bytes, longer than ATT_MTU; it is ignored.
  case longerThanMTU(ATTOpcode, count: Int, mtu: Int)
  /// A response while no request is outstanding.
  case unsolicited(ATTOpcode)
  /// A response to another request than the outstanding one.
  case foreign(ATTOpcode, awaited: ATTOpcode)
  /// The answer to a request whose caller was cancelled.
  case answerToCancelled(ATTOpcode)
  /// A request that this side, a client, does not serve; it was answered with an error.
  case unsupportedRequest(ATTOpcode)
  /// A command that this side does not support; the specification demands that it is ignored.
  case ignoredCommand(ATTOpcode)
  /// A value without a subscriber.
  case unclaimedValue(handle: UInt16)
  /// Values that were dropped because a subscriber was too slow.
  case valuesLost(handle: UInt16, count: Int)
  /// The server refused an optional feature: change indications, robust caching.
  case conveniencesRefused(GATTError)
  /// A discovery after Service Changed failed; its handles are not used until another succeeds.
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
  /// Whether the bytes of the PDU were wrong.
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

/// Counters of what happened on a bearer.
public struct ATTStatistics: Hashable, Sendable {
  /// Requests sent.
  public var requests = 0
  /// Values notified; each one of a Multiple Handle Value Notification counts.
  public var notifications = 0
  /// Indications, all of which were confirmed.
  public var indications = 0
  /// PDUs dropped because they could not be decoded or were longer than ATT_MTU.
  public var malformed = 0
  /// Responses without a request that waits for them.
  public var strayResponses = 0
  /// Requests of the peripheral.
  public var peerRequests = 0
  /// PDUs whose opcode has the command bit, which have no answer (Core 5.4, Vol 3, Part F, 3.3).
  public var ignoredCommands = 0

  public init() {}
}
