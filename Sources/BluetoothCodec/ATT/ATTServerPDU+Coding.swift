extension ATTServerPDU {
  /// Decodes one server PDU into slices of `bytes`; any other opcode throws `.unknownType`.
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

  public var opcode: ATTOpcode {
    switch self {
    case .response(let response): response.opcode
    case .notification: .notification
    case .multipleNotifications: .multipleNotifications
    case .indication: .indication
    }
  }

  /// Returns the bytes of the PDU; `prefix(mtu)` truncates them where the specification permits it.
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
  fileprivate init(_ reader: inout ByteReader) throws(MalformedBytes) {
    self.init(handle: try reader.uint16(), value: reader.rest())
  }
}

extension [UInt8] {
  /// Appends a value after its length of 16 bits, dropping what the length field cannot count.
  mutating func append(counted value: Bytes) {
    let value = value.prefix(Int(UInt16.max))
    append(littleEndian: UInt16(value.count))
    self += value
  }
}
