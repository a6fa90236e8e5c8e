public import BluetoothCodec

extension GATTClient {
  public var database: Database { known.database }

  /// Discovers all services and their characteristics.
  ///
  /// This takes one request for each page of up to 85 services or 73 characteristics (16-bit types,
  /// MTU 517), and at most one more at the end of each list. Secondary services are discovered only
  /// if there are characteristics outside of primary ones.
  ///
  /// Descriptors are not discovered; see ``discoverDescriptors(of:)``. If a characteristic that can
  /// notify has room for exactly one descriptor, that is its client configuration.
  ///
  /// - Throws: `listTooLong` after hundreds of requests, and the errors of requests.
  @discardableResult
  public func discoverAll() async throws(GATTError) -> Database {
    try await discoverServices()
    return try await discoverCharacteristics()
  }

  /// Discovers all primary services.
  @discardableResult
  public func discoverServices() async throws(GATTError) -> [Service] {
    try await discoveries.lock()
    defer { discoveries.unlock() }
    known.beginDiscovery()
    known.setServices(try await services(.primaryService, in: .all))
    return known.database.services
  }

  /// Discovers the primary services of one type, without adding them to ``database``.
  ///
  /// If the short form of a UUID finds nothing, the long form is tried, as servers compare UUIDs
  /// byte by byte and may store either (Core 5.4, Vol 3, Part G, 3.1).
  public func discoverServices(_ uuid: BluetoothUUID) async throws(GATTError) -> [Service] {
    var ranges = try await rangesOfServices(withValue: Bytes(uuid.littleEndianBytes))
    if ranges.isEmpty, uuid.short16 != nil {
      ranges = try await rangesOfServices(withValue: Bytes(uuid.longLittleEndianBytes))
    }
    return ranges.map { Service(uuid: uuid, range: $0) }
  }

  /// Discovers the characteristics of all known services, and the secondary services.
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

  /// Discovers the services that `service` includes, and adds them to ``database``.
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
      // A 128-bit type does not fit into the declaration; it is the value of the included service.
      var type = short
      if type == nil { type = try uuid(of: try await read(range.start)) }
      guard let type else { continue }
      included.append(IncludedService(handle: item.handle, range: range, uuid: type))
    }
    known.update(service.range.start) { $0.includedServices = included }
    return included
  }

  /// Discovers descriptors, by their characteristics' handles, and adds them to ``database``.
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
