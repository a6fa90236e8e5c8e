public import BluetoothCodec

/// An unexpected event on a bearer that does not end the link.
public enum ATTDiagnostic: Hashable, Sendable {
  /// Bytes that cannot be decoded.
  case malformed(MalformedBytes, pdu: Bytes)
  /// A PDU of `count` bytes that exceeds the ATT_MTU and is ignored.
  case longerThanMTU(ATTOpcode, count: Int, mtu: Int)
  case unsolicited(ATTOpcode)
  case foreign(ATTOpcode, awaited: ATTOpcode)
  case responseToCancelled(ATTOpcode)
  case unsupportedRequest(ATTOpcode)
  case ignoredCommand(ATTOpcode)
  /// A notification or indication without a subscriber.
  case unclaimedValue(handle: UInt16)
  /// Values that were dropped because a subscriber was too slow.
  case valuesLost(handle: UInt16, count: Int)
  /// The server rejected an optional feature: Service Changed indications, robust caching.
  case conveniencesRefused(GATTError)
  /// A discovery after Service Changed failed; its handles are not used until another succeeds.
  case rediscoveryFailed(GATTError)
}

extension ATTDiagnostic: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformed(let error, let pdu): "\(name(of: pdu)) left out: \(error)"
    case .longerThanMTU(let opcode, let count, let mtu):
      "\(opcode) of \(count) bytes, longer than the MTU of \(mtu): ignored"
    case .unsolicited(let opcode): "\(opcode) without a request: ignored"
    case .foreign(let opcode, let awaited): "\(opcode) while \(awaited) is awaited: ignored"
    case .responseToCancelled(let opcode): "\(opcode) after its caller was cancelled: dropped"
    case .unsupportedRequest(let opcode): "\(opcode) from the peripheral: not supported"
    case .ignoredCommand(let opcode): "\(opcode) from the peripheral: ignored"
    case .unclaimedValue(let handle): "a value of handle \(handle), which has no subscriber"
    case .valuesLost(let handle, let count): "\(count) values of handle \(handle) lost"
    case .conveniencesRefused(let error): "service changes are not watched: \(error)"
    case .rediscoveryFailed(let error): "discovery after Service Changed failed: \(error)"
    }
  }
}

extension ATTDiagnostic {
  public var isMalformed: Bool {
    switch self {
    case .malformed, .longerThanMTU: true
    default: false
    }
  }

  private func name(of pdu: Bytes) -> String {
    guard let opcode = pdu.first else { return "an empty PDU" }
    let shown = pdu.prefix(16).map { hexadecimal($0, width: 2) }.joined(separator: " ")
    let bytes = pdu.count == 1 ? "1 byte" : "\(pdu.count) bytes"
    let rest = pdu.count > 16 ? " …" : ""
    return "\(ATTOpcode(rawValue: opcode)) (\(bytes): \(shown)\(rest))"
  }
}

/// The counters of a bearer.
public struct ATTStatistics: Hashable, Sendable {
  /// The number of requests sent.
  public var requests = 0
  /// The number of notified values; a Multiple Handle Value Notification has several.
  public var notifications = 0
  /// The number of indications, all of which were confirmed.
  public var indications = 0
  /// The number of PDUs dropped because they were malformed or exceeded the ATT_MTU.
  public var malformed = 0
  /// The number of responses without an outstanding request.
  public var strayResponses = 0
  /// The number of requests from the server.
  public var peerRequests = 0
  /// The number of PDUs with the command bit, which have no response.
  public var ignoredCommands = 0

  public init() {}
}
