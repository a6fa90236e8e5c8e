extension HCIEvent {
  /// Decodes an event without its packet type; its data is a slice of `bytes`.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "HCI event")
    self = try Self(&reader)
    try reader.finish()
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    let code = try reader.uint8()
    var parameters = try reader.section(Int(try reader.uint8()))
    self = try Self.decode(code, &parameters)
    try parameters.finish()
  }

  private static func decode(
    _ code: UInt8, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> HCIEvent {
    switch code {
    case HCIEventCode.connectionComplete:
      reader.what = "Connection Complete"
      return .connectionComplete(
        try reader.status(), try reader.classicLink(), isEncrypted: try reader.bool())
    case HCIEventCode.synchronousConnectionComplete:
      reader.what = "Synchronous Connection Complete"
      return .synchronousConnectionComplete(
        try reader.status(), try reader.classicLink(), try reader.synchronousTiming())
    case HCIEventCode.disconnectionComplete:
      reader.what = "Disconnection Complete"
      return .disconnectionComplete(
        try reader.status(), connection: try reader.uint16(), reason: try reader.status())
    case HCIEventCode.encryptionChange:
      reader.what = "Encryption Change"
      return .encryptionChange(
        try reader.status(), connection: try reader.uint16(),
        try reader.choice(HCIEncryption.self))
    case HCIEventCode.commandComplete:
      reader.what = "Command Complete"
      let credits = try reader.uint8()
      let opcode = HCIOpcode(rawValue: try reader.uint16())
      return .commandComplete(credits: credits, opcode, try HCIReturn(of: opcode, &reader))
    case HCIEventCode.commandStatus:
      reader.what = "Command Status"
      return .commandStatus(
        try reader.status(), credits: try reader.uint8(),
        HCIOpcode(rawValue: try reader.uint16()))
    case HCIEventCode.leMeta: return .le(try LEEvent(&reader))
    default: return .other(code: code, reader.rest())
    }
  }

  /// Returns event code, length and parameters; throws `.tooLong` beyond the length byte.
  public func encoded() throws(MalformedBytes) -> [UInt8] {
    var bytes: [UInt8] = [code, 0]
    appendParameters(to: &bytes)
    let count = bytes.count - 2
    guard let length = UInt8(exactly: count) else {
      throw MalformedBytes("HCI event", at: 1, .tooLong(count: count, limit: Int(UInt8.max)))
    }
    bytes[1] = length
    return bytes
  }

  private var code: UInt8 {
    switch self {
    case .connectionComplete: HCIEventCode.connectionComplete
    case .synchronousConnectionComplete: HCIEventCode.synchronousConnectionComplete
    case .disconnectionComplete: HCIEventCode.disconnectionComplete
    case .encryptionChange: HCIEventCode.encryptionChange
    case .commandComplete: HCIEventCode.commandComplete
    case .commandStatus: HCIEventCode.commandStatus
    case .le: HCIEventCode.leMeta
    case .other(let code, _): code
    }
  }

  private func appendParameters(to bytes: inout [UInt8]) {
    switch self {
    case .connectionComplete(let status, let link, let isEncrypted):
      bytes.append(status.rawValue)
      link.append(to: &bytes)
      bytes.append(isEncrypted ? 1 : 0)
    case .synchronousConnectionComplete(let status, let link, let timing):
      bytes.append(status.rawValue)
      link.append(to: &bytes)
      timing.append(to: &bytes)
    case .disconnectionComplete(let status, let connection, let reason):
      bytes.append(status.rawValue)
      bytes.append(littleEndian: connection)
      bytes.append(reason.rawValue)
    case .encryptionChange(let status, let connection, let encryption):
      bytes.append(status.rawValue)
      bytes.append(littleEndian: connection)
      bytes.append(encryption.rawValue)
    case .commandComplete(let credits, let opcode, let result):
      bytes.append(credits)
      bytes.append(littleEndian: opcode.rawValue)
      result.append(to: &bytes)
    case .commandStatus(let status, let credits, let opcode):
      bytes.append(status.rawValue)
      bytes.append(credits)
      bytes.append(littleEndian: opcode.rawValue)
    case .le(let event): event.append(to: &bytes)
    case .other(_, let parameters): bytes += parameters
    }
  }
}

extension ByteReader {
  mutating func status() throws(MalformedBytes) -> HCIStatus {
    HCIStatus(rawValue: try uint8())
  }
}

extension ClassicLink {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: connection)
    bytes.append(peer)
    bytes.append(kind.rawValue)
  }
}

extension SynchronousTiming {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes += [interval, retransmissionWindow]
    bytes.append(littleEndian: receiveLength)
    bytes.append(littleEndian: transmitLength)
    bytes.append(airMode)
  }
}

extension ByteReader {
  fileprivate mutating func classicLink() throws(MalformedBytes) -> ClassicLink {
    ClassicLink(
      connection: try uint16(), peer: try address(), kind: try choice(ClassicLink.Kind.self))
  }

  fileprivate mutating func synchronousTiming() throws(MalformedBytes) -> SynchronousTiming {
    SynchronousTiming(
      interval: try uint8(), retransmissionWindow: try uint8(), receiveLength: try uint16(),
      transmitLength: try uint16(), airMode: try uint8())
  }
}
