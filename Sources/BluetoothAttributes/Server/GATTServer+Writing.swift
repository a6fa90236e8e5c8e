internal import BluetoothCodec

extension GATTServer {
  /// Answers requests that write values, all or none (Core 5.4, Vol 3, Part F, 3.4.5 and 3.4.6).
  mutating func write(
    _ request: ATTRequest
  ) throws(ATTErrorResponse) -> (ATTResponse, [Effect]) {
    let opcode = request.opcode
    switch request {
    case .write(let handle, let value):
      let attribute = try writable(handle, opcode)
      return (.write, try store(value, in: attribute, opcode))
    case .prepareWrite(let handle, let offset, let value):
      _ = try writable(handle, opcode)
      guard prepared.count < options.queueLimit else {
        throw ATTErrorResponse(opcode: opcode, handle: handle, code: .prepareQueueFull)
      }
      prepared.append(PreparedWrite(handle: handle, offset: Int(offset), value: value))
      return (.prepareWrite(handle: handle, offset: offset, value: value), [])
    case .executeWrite(let flag):
      defer { prepared = [] }
      return (.executeWrite, flag == .commit ? try commit(opcode) : [])
    default: throw ATTErrorResponse(opcode: opcode, handle: 0, code: .requestNotSupported)
    }
  }

  /// Carries out a Write Command, which has no response, not even for an error.
  ///
  /// A client that is unaware of a changed table is ignored (Core 5.4, Vol 3, Part G, 2.5.2.1).
  mutating func write(command value: Bytes, to handle: UInt16) -> [Effect] {
    guard awareness.allowsCommands, let attribute = table[handle],
      attribute.properties.contains(.writeWithoutResponse),
      objection(toSecurityBelow: attribute.writeSecurity) == nil
    else { return [] }
    return (try? store(value, in: attribute, .writeCommand)) ?? []
  }

  private func writable(
    _ handle: UInt16, _ opcode: ATTOpcode
  ) throws(ATTErrorResponse) -> Attribute {
    guard let attribute = table[handle] else {
      throw ATTErrorResponse(opcode: opcode, handle: handle, code: .invalidHandle)
    }
    guard attribute.properties.contains(.write) else {
      throw ATTErrorResponse(opcode: opcode, handle: handle, code: .writeNotPermitted)
    }
    if let code = objection(toSecurityBelow: attribute.writeSecurity) {
      throw ATTErrorResponse(opcode: opcode, handle: handle, code: code)
    }
    return attribute
  }

  /// Writes all prepared parts, or none of them.
  ///
  /// A part at offset 0 replaces the value; later parts extend it or overwrite some of its bytes.
  private mutating func commit(_ opcode: ATTOpcode) throws(ATTErrorResponse) -> [Effect] {
    var values: [(Attribute, [UInt8])] = []
    for part in prepared {
      guard let attribute = table[part.handle] else { continue }
      let known = values.firstIndex { $0.0.handle == part.handle }
      var value = known.map { values[$0].1 } ?? (part.offset == 0 ? [] : attribute.value)
      guard part.offset <= value.count else {
        throw ATTErrorResponse(opcode: opcode, handle: part.handle, code: .invalidOffset)
      }
      value.replaceSubrange(
        part.offset..<min(value.count, part.offset + part.value.count), with: part.value)
      if let code = attribute.accepts.objection(to: value[...]) {
        throw ATTErrorResponse(opcode: opcode, handle: part.handle, code: code)
      }
      if let known { values[known].1 = value } else { values.append((attribute, value)) }
    }
    var effects: [Effect] = []
    for (attribute, value) in values {
      effects += try store(value[...], in: attribute, opcode)
    }
    return effects
  }

  /// Stores a value in the table, or for the client if the value belongs to the client.
  ///
  /// An injected error has precedence. Value Not Allowed is the error for a configuration beyond
  /// the characteristic's properties, and for disabling a client feature.
  private mutating func store(
    _ value: Bytes, in attribute: Attribute, _ opcode: ATTOpcode
  ) throws(ATTErrorResponse) -> [Effect] {
    let objection = refusals[attribute.handle] ?? attribute.accepts.objection(to: value)
    if let code = objection {
      throw ATTErrorResponse(opcode: opcode, handle: attribute.handle, code: code)
    }
    if case .clientConfiguration(let handle, let properties) = attribute.role {
      guard let configuration = ClientConfiguration(value, allowedBy: properties) else {
        throw ATTErrorResponse(opcode: opcode, handle: attribute.handle, code: .valueNotAllowed)
      }
      configurations[handle] = configuration
      return [.configured(handle: handle, configuration)]
    }
    if attribute.type == .clientSupportedFeatures {
      // A client must not disable a feature (Core 5.4, Vol 3, Part G, 7.2).
      guard let features = value.first, features & clientFeatures == clientFeatures else {
        throw ATTErrorResponse(opcode: opcode, handle: attribute.handle, code: .valueNotAllowed)
      }
      clientFeatures = features
      return []
    }
    table.setValue(Array(value), at: attribute.handle)
    return [.wrote(handle: attribute.handle, value)]
  }
}

extension ClientConfiguration {
  fileprivate init?(_ value: Bytes, allowedBy properties: CharacteristicProperties) {
    guard value.count == 2, let bits = value.first, value.last == 0 else { return nil }
    self.init(rawValue: UInt16(bits))
    var allowed: ClientConfiguration = []
    if properties.contains(.notify) { allowed.insert(.notifications) }
    if properties.contains(.indicate) { allowed.insert(.indications) }
    guard isSubset(of: allowed) else { return nil }
  }
}
