internal import BluetoothCodec

extension GATTServer {
  /// Answers the requests that find handles (Core 5.4, Vol 3, Part F, 3.4.3 and 3.4.4.9).
  ///
  /// A response has as many entries as fit the MTU; the client continues after the last one.
  func discover(_ request: ATTRequest) throws(ATTErrorResponse) -> ATTResponse {
    switch request {
    case .findInformation(let range): try findInformation(in: range, request.opcode)
    case .findByTypeValue(let range, let type, let value):
      try findByTypeValue(in: range, .bit16(type), value, request.opcode)
    case .readByGroupType(let range, let type):
      try readByGroupType(in: range, type, request.opcode)
    default: throw ATTErrorResponse(opcode: request.opcode, handle: 0, code: .requestNotSupported)
    }
  }

  /// Answers Find Information (3.4.3.1) with handles and types of the same length.
  private func findInformation(
    in range: ATTHandleRange, _ opcode: ATTOpcode
  ) throws(ATTErrorResponse) -> ATTResponse {
    let found = try attributes(in: range, for: opcode)
    let isShort = found.first?.type.short16 != nil
    let room = (mtu - 2) / (isShort ? 4 : 18)
    let items = found.prefix { ($0.type.short16 != nil) == isShort }.prefix(room)
    return .findInformation(items.map { ATTInformation(handle: $0.handle, type: $0.type) })
  }

  /// Answers Find By Type Value (3.4.3.3) with the ranges of the services with this UUID.
  private func findByTypeValue(
    in range: ATTHandleRange, _ type: BluetoothUUID, _ value: Bytes, _ opcode: ATTOpcode
  ) throws(ATTErrorResponse) -> ATTResponse {
    let found = try attributes(in: range, for: opcode) {
      $0.type == type && $0.value.elementsEqual(value)
    }
    return .findByTypeValue(
      found.prefix((mtu - 1) / 4).map { ATTHandleRange(start: $0.handle, end: $0.groupEnd) })
  }

  /// Answers Read By Group Type (3.4.4.9) with services whose UUIDs have the same length.
  private func readByGroupType(
    in range: ATTHandleRange, _ type: BluetoothUUID, _ opcode: ATTOpcode
  ) throws(ATTErrorResponse) -> ATTResponse {
    guard type == .primaryService || type == .secondaryService else {
      throw ATTErrorResponse(opcode: opcode, handle: range.start, code: .unsupportedGroupType)
    }
    let found = try attributes(in: range, for: opcode) { $0.type == type }
    let length = found.first?.value.count ?? 0
    let items = found.prefix { $0.value.count == length }.prefix((mtu - 2) / (4 + length))
    return .readByGroupType(
      items.map { service in
        ATTGroup(
          range: ATTHandleRange(start: service.handle, end: service.groupEnd),
          value: service.value[...])
      })
  }

  /// Returns the matching attributes in a range, or throws for an invalid or empty one.
  func attributes(
    in range: ATTHandleRange, for opcode: ATTOpcode,
    where matches: (Attribute) -> Bool = { _ in true }
  ) throws(ATTErrorResponse) -> [Attribute] {
    guard range.start > 0, range.start <= range.end else {
      throw ATTErrorResponse(opcode: opcode, handle: range.start, code: .invalidHandle)
    }
    let found = table.attributes(in: range).filter(matches)
    guard !found.isEmpty else {
      throw ATTErrorResponse(opcode: opcode, handle: range.start, code: .attributeNotFound)
    }
    return found
  }
}
