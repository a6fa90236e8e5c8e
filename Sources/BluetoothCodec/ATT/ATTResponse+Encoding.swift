extension ATTResponse {
  public var opcode: ATTOpcode {
    switch self {
    case .error: .errorResponse
    case .exchangeMTU: .exchangeMTUResponse
    case .findInformation: .findInformationResponse
    case .findByTypeValue: .findByTypeValueResponse
    case .readByType: .readByTypeResponse
    case .read: .readResponse
    case .readBlob: .readBlobResponse
    case .readMultiple: .readMultipleResponse
    case .readByGroupType: .readByGroupTypeResponse
    case .write: .writeResponse
    case .prepareWrite: .prepareWriteResponse
    case .executeWrite: .executeWriteResponse
    case .readMultipleVariable: .readMultipleVariableResponse
    }
  }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .error(let error):
      bytes.append(error.opcode.rawValue)
      bytes.append(littleEndian: error.handle)
      bytes.append(error.code.rawValue)
    case .exchangeMTU(let serverMTU): bytes.append(littleEndian: serverMTU)
    case .findInformation(let items):
      let width = items.allSatisfy { $0.type.short16 != nil } ? 2 : 16
      bytes.append(width == 2 ? 0x01 : 0x02)
      for item in items {
        bytes.append(littleEndian: item.handle)
        bytes.append(item.type, count: width)
      }
    case .findByTypeValue(let ranges): for range in ranges { range.append(to: &bytes) }
    case .readByType(let items):
      Self.append(items, to: &bytes, head: 2, value: \.value) { item, bytes in
        bytes.append(littleEndian: item.handle)
      }
    case .readByGroupType(let items):
      Self.append(items, to: &bytes, head: 4, value: \.value) { item, bytes in
        item.range.append(to: &bytes)
      }
    case .read(let value), .readBlob(let value), .readMultiple(let value): bytes += value
    case .prepareWrite(let handle, let offset, let value):
      bytes.append(littleEndian: handle)
      bytes.append(littleEndian: offset)
      bytes += value
    case .readMultipleVariable(let values, let isComplete):
      for value in values { bytes.append(counted: value) }
      // If the list was truncated after a whole value, it ends with half a length field.
      if !isComplete { bytes.append(0x00) }
    case .write, .executeWrite: break
    }
  }

  /// Appends a list whose items share one length byte.
  ///
  /// Values are truncated to what that byte can count, and the list ends before the first value of
  /// a different length (Core 5.4, Vol 3, Part F, 3.4.4.2 and 3.4.4.10). The client requests the
  /// rest.
  private static func append<Item>(
    _ items: [Item], to bytes: inout [UInt8], head: Int, value: (Item) -> Bytes,
    appendHead: (Item, inout [UInt8]) -> Void
  ) {
    guard let first = items.first else {
      bytes.append(UInt8(head))
      return
    }
    let limit = Int(UInt8.max) - head
    let length = min(value(first).count, limit)
    bytes.append(UInt8(head + length))
    for item in items.prefix(while: { min(value($0).count, limit) == length }) {
      appendHead(item, &bytes)
      bytes += value(item).prefix(length)
    }
  }
}
