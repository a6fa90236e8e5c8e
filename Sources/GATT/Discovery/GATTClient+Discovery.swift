public import BluetoothCodec

extension GATTClient {
  /// The attributes of the peripheral that are known.
  public var database: Database { known.database }

  /// Discovers all services and their characteristics: the whole structure.
  ///
  /// One request for each page of up to 85 services or 73 characteristics (16-bit types, MTU 517),
  /// and at most one more for each list's end: the characteristics of all services are one sweep
  /// over the whole range. Secondary services are asked for only if that sweep finds
  /// characteristics outside of the primary ones. Descriptors are not asked for; where a
  /// characteristic that can notify has room for exactly one descriptor, that is its client
  /// configuration. The others come by ``discoverDescriptors(of:)``.
  ///
  /// - Throws: `listTooLong` for a server that would need hundreds of requests, and what ends a
  ///   request.
  @discardableResult
  public func discoverAll() async throws(GATTError) -> Database {
    try await discoverServices()
    return try await discoverCharacteristics()
  }

  /// Discovers all primary services.
  ///
  /// - Throws: as ``discoverAll()``.
  @discardableResult
  public func discoverServices() async throws(GATTError) -> [Service] {
    try await discoveries.lock()
    defer { discoveries.unlock() }
    known.beginDiscovery()
    known.setServices(try await services(.primaryService, in: .all))
    return known.database.services
  }

  /// Discovers the primary services of one type, without looking at others.
  ///
  /// The server compares the bytes of a declaration, where a type of the Bluetooth Base UUID may
  /// have 16 bits or 128 (Core 5.4, Vol 3, Part G, 3.1): the long form is asked for where the short
  /// one finds nothing.
  ///
  /// - Returns: what was found; it is not added to ``database``.
  /// - Throws: as ``discoverAll()``.
  public func discoverServices(_ uuid: BluetoothUUID) async throws(GATTError) -> [Service] {
    var ranges = try await rangesOfServices(withValue: Bytes(uuid.littleEndianBytes))
    if ranges.isEmpty, uuid.short16 != nil {
      ranges = try await rangesOfServices(withValue: Bytes(uuid.longLittleEndianBytes))
    }
    return ranges.map { Service(uuid: uuid, range: $0) }
  }

  /// Discovers the characteristics of all known services, and the secondary services.
  ///
  /// - Throws: as ``discoverAll()``.
  @discardableResult
  public func discoverCharacteristics() async throws(GATTError) -> Database {
    try await discoveries.lock()
    defer { discoveries.unlock() }
    let services = try await withCharacteristics(known.database.services, in: .all)
    if let moved = known.endDiscovery(services) {
      await moveSubscriptions(in: moved.range, from: moved.database)
    }
    applyPendingChanges()
    return known.database
  }

  /// Discovers the services that `service` includes, and remembers them with it.
  ///
  /// - Throws: as ``discoverAll()``.
  public func discoverIncludedServices(
    of service: Service
  ) async throws(GATTError) -> [IncludedService] {
    var included: [IncludedService] = []
    for item in try await valuesByType(.include, in: service.range) {
      var reader = ByteReader(item.value, of: "include declaration")
      let range: ATTHandleRange
      let short: BluetoothUUID?
      do throws(MalformedBytes) {
        range = ATTHandleRange(start: try reader.uint16(), end: try reader.uint16())
        short = reader.isAtEnd ? nil : try reader.uuid(2)
      } catch {
        throw .unexpectedResponse("\(error)")
      }
      // A 128-bit type does not fit into the declaration: it is the included service's own value.
      var type = short
      if type == nil { type = try uuid(of: try await read(range.start)) }
      guard let type else { continue }
      included.append(IncludedService(handle: item.handle, range: range, uuid: type))
    }
    known.update(service.range.start) { $0.includedServices = included }
    return included
  }

  /// Discovers the descriptors of some characteristics: one sweep over all of them.
  ///
  /// - Returns: the descriptors by their characteristic's handle; also added to ``database``.
  /// - Throws: as ``discoverAll()``.
  @discardableResult
  public func discoverDescriptors(
    of characteristics: [Characteristic]
  ) async throws(GATTError) -> [UInt16: [Descriptor]] {
    try await discoverDescriptors(of: characteristics, .full)
  }

  @discardableResult
  func discoverDescriptors(
    of characteristics: [Characteristic], _ recovery: RequestRecovery
  ) async throws(GATTError) -> [UInt16: [Descriptor]] {
    let ranges = characteristics.compactMap(\.descriptorRange)
    var attributes: [ATTInformation] = []
    if let start = ranges.map(\.start).min(), let end = ranges.map(\.end).max() {
      attributes = try await information(in: ATTHandleRange(start: start, end: end), recovery)
    }
    var found: [UInt16: [Descriptor]] = [:]
    for characteristic in characteristics {
      let range = characteristic.descriptorRange
      let own = attributes.filter { range?.contains($0.handle) ?? false }
        .map { Descriptor(uuid: $0.type, handle: $0.handle) }
      found[characteristic.handle] = own
      known.update(characteristic) { $0.descriptors = own }
    }
    return found
  }
}
