extension ATTServerPDU {
  /// Decodes one whole PDU; values are slices of `bytes`.
  ///
  /// - Parameter bytes: one PDU of any content.
  /// - Throws: ``MalformedBytes``; `.unknownType` for an opcode that no server sends.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "ATT server PDU")
    let opcode = ATTOpcode(rawValue: try reader.uint8())
    guard opcode.sender == .server else {
      throw reader.malformed(.unknownType(UInt64(opcode.rawValue)), at: 0)
    }
    reader.what = opcode.description
    switch opcode {
    case .notification: self = .notification(try ATTHandleValue(&reader))
    case .indication: self = .indication(try ATTHandleValue(&reader))
    case .multipleNotifications:
      var values: [ATTHandleValue] = []
      repeat {
        let handle = try reader.uint16()
        let value = try reader.read(Int(try reader.uint16()))
        values.append(ATTHandleValue(handle: handle, value: value))
      } while !reader.isAtEnd
      self = .multipleNotifications(values)
    default: self = .response(try ATTResponse(opcode, &reader))
    }
    try reader.finish()
  }

  /// The first byte of the PDU.
  public var opcode: ATTOpcode {
    switch self {
    case .response(let response): response.opcode
    case .notification: .notification
    case .multipleNotifications: .multipleNotifications
    case .indication: .indication
    }
  }

  /// The bytes of the PDU, opcode first.
  ///
  /// The sender truncates them to the MTU where the specification permits it:
  /// `encoded().prefix(mtu)`.
  public func encoded() -> [UInt8] {
    var bytes = [opcode.rawValue]
    switch self {
    case .response(let response): response.append(to: &bytes)
    case .notification(let item), .indication(let item):
      bytes.append(littleEndian: item.handle)
      bytes += item.value
    case .multipleNotifications(let items):
      for item in items {
        bytes.append(littleEndian: item.handle)
        bytes.append(counted: item.value)
      }
    }
    return bytes
  }
}

extension ATTHandleValue {
  /// Decodes a handle and a value: the rest of the PDU.
  fileprivate init(_ reader: inout ByteReader) throws(MalformedBytes) {
    self.init(handle: try reader.uint16(), value: reader.rest())
  }
}

extension [UInt8] {
  /// Appends a value after its length of 16 bits.
  ///
  /// An attribute value has at most 512 bytes; what exceeds the length field is dropped.
  mutating func append(counted value: Bytes) {
    let value = value.prefix(Int(UInt16.max))
    append(littleEndian: UInt16(value.count))
    self += value
  }
}
