internal import BluetoothCodec
internal import BluetoothRadio

extension GATTServer {
  /// Answers the requests that read values (Core 5.4, Vol 3, Part F, 3.4.4).
  ///
  /// Values are truncated to ATT_MTU - 1 bytes; Read Blob reads the remaining bytes.
  func read(_ request: ATTRequest) throws(ATTErrorResponse) -> ATTResponse {
    let opcode = request.opcode
    switch request {
    case .read(let handle): return .read(value: try readable(handle, opcode).prefix(mtu - 1))
    case .readBlob(let handle, let offset):
      let value = try readable(handle, opcode)
      guard Int(offset) <= value.count else {
        throw ATTErrorResponse(opcode: opcode, handle: handle, code: .invalidOffset)
      }
      return .readBlob(value: value.dropFirst(Int(offset)).prefix(mtu - 1))
    case .readByType(let range, let type): return try readByType(in: range, type, opcode)
    case .readMultiple(let handles):
      let values = try readAll(handles, opcode)
      return .readMultiple(
        values: values.joined().prefix(mtu - 1).reduce(into: []) { $0.append($1) })
    case .readMultipleVariable(let handles):
      return .readMultipleVariable(values: try readAll(handles, opcode), isComplete: true)
    default: throw ATTErrorResponse(opcode: opcode, handle: 0, code: .requestNotSupported)
    }
  }

  private func readAll(
    _ handles: [UInt16], _ opcode: ATTOpcode
  ) throws(ATTErrorResponse) -> [Bytes] {
    guard options.supportsReadMultiple else {
      throw ATTErrorResponse(opcode: opcode, handle: 0, code: .requestNotSupported)
    }
    var values: [Bytes] = []
    for handle in handles { values.append(try readable(handle, opcode)) }
    return values
  }

  /// Answers Read By Type (3.4.4.1) with as many values of equal length as fit.
  private func readByType(
    in range: ATTHandleRange, _ type: BluetoothUUID, _ opcode: ATTOpcode
  ) throws(ATTErrorResponse) -> ATTResponse {
    let found = try attributes(in: range, for: opcode) { $0.type == type }
    let limit = min(mtu - 4, 253)
    var items: [ATTHandleValue] = []
    var room = mtu - 2
    for attribute in found {
      // An error is reported only for the first item; the client continues after the end of the
      // list.
      guard items.isEmpty || objection(toReading: attribute) == nil else { break }
      let value = try readable(attribute.handle, opcode).prefix(limit)
      guard items.first.map({ $0.value.count == value.count }) ?? true, value.count + 2 <= room
      else { break }
      room -= value.count + 2
      items.append(ATTHandleValue(handle: attribute.handle, value: value))
    }
    return .readByType(items)
  }

  private func readable(
    _ handle: UInt16, _ opcode: ATTOpcode
  ) throws(ATTErrorResponse) -> Bytes {
    guard let attribute = table[handle] else {
      throw ATTErrorResponse(opcode: opcode, handle: handle, code: .invalidHandle)
    }
    if let code = objection(toReading: attribute) {
      throw ATTErrorResponse(opcode: opcode, handle: handle, code: code)
    }
    return value(of: attribute)[...]
  }

  private func objection(toReading attribute: Attribute) -> ATTErrorCode? {
    guard attribute.properties.contains(.read) else { return .readNotPermitted }
    return objection(toSecurityBelow: attribute.readSecurity)
  }

  /// Returns the error that requires more security, or nil if the link has enough.
  ///
  /// With a key, the link only has to be encrypted; without one, the devices must pair first (Core
  /// 5.4, Vol 3, Part C, 10.3.1).
  func objection(toSecurityBelow needed: SecurityLevel) -> ATTErrorCode? {
    guard security < needed else { return nil }
    return isBonded && security == .low ? .insufficientEncryption : .insufficientAuthentication
  }

  private func value(of attribute: Attribute) -> [UInt8] {
    if case .clientConfiguration(let handle, _) = attribute.role {
      var value: [UInt8] = []
      value.append(littleEndian: configurations[handle, default: []].rawValue)
      return value
    }
    return attribute.type == .clientSupportedFeatures ? [clientFeatures] : attribute.value
  }
}
