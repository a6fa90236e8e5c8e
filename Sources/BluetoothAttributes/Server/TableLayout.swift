internal import BluetoothCodec

/// The assignment of handles to service definitions (Core 5.4, Vol 3, Part G, 3).
///
/// Services follow one another without gaps unless a definition has a first handle. A service
/// consists of its declaration, its inclusions, and for each characteristic the declaration, the
/// value, a CCCD if it notifies or indicates, and the descriptors.
struct TableLayout {
  private let services: [ServiceDefinition]
  private let starts: [UInt16]
  private var rows: [Attribute] = []

  init(_ services: [ServiceDefinition]) {
    self.services = services
    var next: UInt16 = 1
    starts = services.map { service in
      let start = max(next, service.firstHandle ?? next)
      next = start + service.attributeCount
      return start
    }
  }

  mutating func attributes() -> [Attribute] {
    for (index, service) in services.enumerated() { append(service, at: index) }
    return rows
  }

  private mutating func append(_ service: ServiceDefinition, at index: Int) {
    var next = starts[index]
    rows.append(
      Attribute(
        handle: next, type: service.isPrimary ? .primaryService : .secondaryService,
        role: .service, value: service.uuid.littleEndianBytes, groupEnd: end(of: index)))
    for included in service.includes where services.indices.contains(included) {
      next += 1
      appendDeclaration(next, .include, inclusion(of: included))
    }
    for characteristic in service.characteristics {
      next = append(characteristic, after: next)
    }
  }

  private mutating func append(
    _ characteristic: CharacteristicDefinition, after last: UInt16
  ) -> UInt16 {
    let handle = last + 2
    var declaration = [characteristic.properties.rawValue]
    declaration.append(littleEndian: handle)
    appendDeclaration(
      last + 1, .characteristic, declaration + characteristic.uuid.littleEndianBytes)
    rows.append(
      Attribute(
        handle: handle, type: characteristic.uuid, role: .value, value: characteristic.value,
        groupEnd: handle, properties: characteristic.properties, accepts: characteristic.accepts,
        readSecurity: characteristic.readSecurity, writeSecurity: characteristic.writeSecurity))
    var next = handle
    if characteristic.hasConfiguration {
      next += 1
      rows.append(
        Attribute(
          handle: next, type: .clientConfiguration,
          role: .clientConfiguration(of: handle, characteristic.properties), value: [],
          groupEnd: next, properties: [.read, .write], accepts: .upTo(2),
          writeSecurity: characteristic.writeSecurity))
    }
    for descriptor in characteristic.descriptors {
      next += 1
      rows.append(
        Attribute(
          handle: next, type: descriptor.uuid, role: .descriptor, value: descriptor.value,
          groupEnd: next))
    }
    return next
  }

  private mutating func appendDeclaration(
    _ handle: UInt16, _ type: BluetoothUUID, _ value: [UInt8]
  ) {
    rows.append(
      Attribute(handle: handle, type: type, role: .declaration, value: value, groupEnd: handle))
  }

  private func end(of index: Int) -> UInt16 {
    starts[index] + services[index].attributeCount - 1
  }

  /// Returns an include declaration: the handle range and, if it has 16 bits, the UUID.
  private func inclusion(of index: Int) -> [UInt8] {
    var value: [UInt8] = []
    value.append(littleEndian: starts[index])
    value.append(littleEndian: end(of: index))
    // The declaration does not contain a 128-bit UUID (Core 5.4, Vol 3, Part G, 3.2).
    return services[index].uuid.short16 == nil
      ? value : value + services[index].uuid.littleEndianBytes
  }
}

extension ServiceDefinition {
  fileprivate var attributeCount: UInt16 {
    UInt16(1 + includes.count) + characteristics.reduce(0) { $0 + $1.attributeCount }
  }
}

extension CharacteristicDefinition {
  fileprivate var hasConfiguration: Bool {
    !properties.isDisjoint(with: [.notify, .indicate])
  }

  fileprivate var attributeCount: UInt16 {
    UInt16(2 + descriptors.count + (hasConfiguration ? 1 : 0))
  }
}
