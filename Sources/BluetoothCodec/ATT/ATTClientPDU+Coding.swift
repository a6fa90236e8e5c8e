extension ATTClientPDU {
  /// Decodes one client PDU into slices of `bytes`; any other opcode throws `.unknownType`.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "ATT client PDU")
    let opcode = ATTOpcode(rawValue: try reader.uint8())
    guard opcode.sender == .client else {
      throw reader.malformed(.unknownType(UInt64(opcode.rawValue)), at: 0)
    }
    reader.what = opcode.description
    switch opcode {
    case .confirmation: self = .confirmation
    case .writeCommand:
      self = .command(.write(handle: try reader.uint16(), value: reader.rest()))
    case .signedWriteCommand:
      let handle = try reader.uint16()
      let value = try reader.read(reader.remaining - ATTCommand.signatureLength)
      self = .command(.signedWrite(handle: handle, value: value, signature: reader.rest()))
    default: self = .request(try ATTRequest(opcode, &reader))
    }
    try reader.finish()
  }

  public var opcode: ATTOpcode {
    switch self {
    case .request(let request): request.opcode
    case .command(let command): command.opcode
    case .confirmation: .confirmation
    }
  }

  /// Returns the bytes of the PDU, beginning with the opcode and not limited to any MTU.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8)
    bytes.append(opcode.rawValue)
    switch self {
    case .request(let request): request.append(to: &bytes)
    case .command(.write(let handle, let value)):
      // Bulk transfers use this command, so make it a single allocation.
      bytes.reserveCapacity(3 + value.count)
      bytes.append(littleEndian: handle)
      bytes += value
    case .command(.signedWrite(let handle, let value, let signature)):
      bytes.append(littleEndian: handle)
      bytes += value
      bytes += signature
    case .confirmation: break
    }
    return bytes
  }
}

extension ATTCommand {
  /// The length of an authentication signature in bytes (Core 5.4, Vol 3, Part F, 3.3.1).
  static let signatureLength = 12

  public var opcode: ATTOpcode {
    switch self {
    case .write: .writeCommand
    case .signedWrite: .signedWriteCommand
    }
  }
}

extension ATTHandleRange {
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    start = try reader.uint16()
    end = try reader.uint16()
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: start)
    bytes.append(littleEndian: end)
  }
}
