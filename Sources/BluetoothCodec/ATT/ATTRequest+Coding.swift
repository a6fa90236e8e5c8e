extension ATTRequest {
  init(_ opcode: ATTOpcode, _ reader: inout ByteReader) throws(MalformedBytes) {
    switch opcode {
    case .exchangeMTURequest: self = .exchangeMTU(clientMTU: try reader.uint16())
    case .findInformationRequest: self = .findInformation(try ATTHandleRange(&reader))
    case .findByTypeValueRequest:
      self = .findByTypeValue(
        try ATTHandleRange(&reader), type: try reader.uint16(), value: reader.rest())
    case .readByTypeRequest:
      self = .readByType(try ATTHandleRange(&reader), type: try Self.type(&reader))
    case .readRequest: self = .read(handle: try reader.uint16())
    case .readBlobRequest:
      self = .readBlob(handle: try reader.uint16(), offset: try reader.uint16())
    case .readMultipleRequest: self = .readMultiple(handles: try Self.handles(&reader))
    case .readByGroupTypeRequest:
      self = .readByGroupType(try ATTHandleRange(&reader), type: try Self.type(&reader))
    case .writeRequest: self = .write(handle: try reader.uint16(), value: reader.rest())
    case .prepareWriteRequest:
      self = .prepareWrite(
        handle: try reader.uint16(), offset: try reader.uint16(), value: reader.rest())
    case .executeWriteRequest:
      self = .executeWrite(try reader.choice(ATTExecuteFlag.self))
    case .readMultipleVariableRequest:
      self = .readMultipleVariable(handles: try Self.handles(&reader))
    default: throw reader.malformed(.unknownType(UInt64(opcode.rawValue)), at: 0)
    }
  }

  private static func type(_ reader: inout ByteReader) throws(MalformedBytes) -> BluetoothUUID {
    let count = reader.remaining
    guard count == 2 || count == 16 else { throw reader.malformed(.badLength(count)) }
    return try reader.uuid(count)
  }

  private static func handles(_ reader: inout ByteReader) throws(MalformedBytes) -> [UInt16] {
    let count = reader.remaining
    guard count >= 4, count.isMultiple(of: 2) else { throw reader.malformed(.badLength(count)) }
    var handles: [UInt16] = []
    handles.reserveCapacity(count / 2)
    while !reader.isAtEnd { handles.append(try reader.uint16()) }
    return handles
  }

  public var opcode: ATTOpcode {
    switch self {
    case .exchangeMTU: .exchangeMTURequest
    case .findInformation: .findInformationRequest
    case .findByTypeValue: .findByTypeValueRequest
    case .readByType: .readByTypeRequest
    case .read: .readRequest
    case .readBlob: .readBlobRequest
    case .readMultiple: .readMultipleRequest
    case .readByGroupType: .readByGroupTypeRequest
    case .write: .writeRequest
    case .prepareWrite: .prepareWriteRequest
    case .executeWrite: .executeWriteRequest
    case .readMultipleVariable: .readMultipleVariableRequest
    }
  }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .exchangeMTU(let clientMTU): bytes.append(littleEndian: clientMTU)
    case .findInformation(let range): range.append(to: &bytes)
    case .findByTypeValue(let range, let type, let value):
      range.append(to: &bytes)
      bytes.append(littleEndian: type)
      bytes += value
    case .readByType(let range, let type), .readByGroupType(let range, let type):
      range.append(to: &bytes)
      bytes.append(type)
    case .read(let handle): bytes.append(littleEndian: handle)
    case .readBlob(let handle, let offset):
      bytes.append(littleEndian: handle)
      bytes.append(littleEndian: offset)
    case .readMultiple(let handles), .readMultipleVariable(let handles):
      for handle in handles { bytes.append(littleEndian: handle) }
    case .write(let handle, let value):
      bytes.append(littleEndian: handle)
      bytes += value
    case .prepareWrite(let handle, let offset, let value):
      bytes.append(littleEndian: handle)
      bytes.append(littleEndian: offset)
      bytes += value
    case .executeWrite(let flag): bytes.append(flag.rawValue)
    }
  }
}
