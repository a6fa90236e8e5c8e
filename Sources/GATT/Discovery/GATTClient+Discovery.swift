public import BluetoothCodec

extension GATTClient {
  /// What is known of the peripheral's attributes.
  public var database: Database { databaseState.database }

  /// Discovers all primary services and their characteristics: the whole structure.
  ///
  /// One request for each page of up to 85 services or 73 characteristics (16-bit types, MTU 517),
  /// and at most one more for each list's end: the characteristics of all services are one sweep
  /// over the whole range. Descriptors are not asked for; where a characteristic that can notify
  /// has room for exactly one descriptor, that is its client configuration. The rest comes by
  /// ``discoverDescriptors(of:)``.
  @discardableResult
  public func discoverAll() async throws(GATTError) -> Database {
    _ = try await discoverServices()
    return try await discoverCharacteristics()
  }

  /// Discovers all primary services.
  @discardableResult
  public func discoverServices() async throws(GATTError) -> [Service] {
    await beginDiscovery()
    defer { discoveries.leave() }
    databaseState.isComplete = false
    databaseState.hasGap = false
    databaseState.hash = nil
    databaseState.database = Database(services: try await services(in: .all, .withinDiscovery))
    return databaseState.database.services
  }

  /// Discovers the primary services of one type, without looking at others.
  ///
  /// What is found is returned, not remembered.
  public func discoverServices(_ uuid: BluetoothUUID) async throws(GATTError) -> [Service] {
    let value = Bytes(uuid.littleEndianBytes)
    let ranges = try await paginate(.all) {
      .findByTypeValue($0, type: 0x2800, value: value)
    } items: {
      if case .findByTypeValue(let ranges) = $0 { ranges } else { nil }
    } span: {
      $0
    }
    return ranges.map { Service(uuid: uuid, range: $0) }
  }

  /// Discovers the characteristics of all known services.
  @discardableResult
  public func discoverCharacteristics() async throws(GATTError) -> Database {
    await beginDiscovery()
    defer { discoveries.leave() }
    databaseState.database.place(try await characteristics(in: .all, .withinDiscovery))
    databaseState.isComplete =
      databaseState.staleRanges.isEmpty && !databaseState.isRediscovering && !databaseState.hasGap
    return databaseState.database
  }

  /// Discovers the services that `service` includes.
  public func discoverIncludedServices(
    of service: Service
  ) async throws(GATTError) -> [IncludedService] {
    var included: [IncludedService] = []
    for item in try await valuesByType(.include, in: service.range) {
      var reader = ByteReader(item.value, of: "include declaration")
      do throws(MalformedBytes) {
        let range = ATTHandleRange(start: try reader.uint16(), end: try reader.uint16())
        let uuid = reader.isAtEnd ? nil : try reader.uuid(2)
        included.append(
          IncludedService(handle: item.handle, range: range, uuid: uuid ?? .bit16(0)))
        guard uuid == nil else { continue }
      } catch {
        throw .unexpectedAnswer("\(error)")
      }
      // A 128-bit type does not fit into the declaration: it is the included service's own value.
      included[included.count - 1].uuid = try await serviceType(
        at: included[included.count - 1].range.start)
    }
    databaseState.database.update(service.range.start) { $0.includedServices = included }
    return included
  }

  /// Discovers the descriptors of some characteristics: one sweep over all of them.
  ///
  /// - Returns: the descriptors by their characteristic's handle; also remembered.
  @discardableResult
  public func discoverDescriptors(
    of characteristics: [Characteristic]
  ) async throws(GATTError) -> [UInt16: [Descriptor]] {
    let ranges = characteristics.compactMap(\.descriptorRange)
    var attributes: [ATTInformation] = []
    if let start = ranges.map(\.start).min(), let end = ranges.map(\.end).max() {
      attributes = try await information(in: ATTHandleRange(start: start, end: end))
    }
    var found: [UInt16: [Descriptor]] = [:]
    for characteristic in characteristics {
      let range = characteristic.descriptorRange
      let own = attributes.filter { range?.contains($0.handle) ?? false }
        .map { Descriptor(uuid: $0.type, handle: $0.handle) }
      found[characteristic.handle] = own
      databaseState.database.update(characteristic) { $0.descriptors = own }
    }
    return found
  }
}

// MARK: - Lists

extension GATTClient {
  /// One discovery at a time; `discoveries.leave()` ends it.
  func beginDiscovery() async {
    if !discoveries.enter() { await withCheckedContinuation { discoveries.wait($0) } }
  }

  func services(
    in range: ATTHandleRange, _ recovery: RetryPolicy = .full
  ) async throws(GATTError) -> [Service] {
    let groups = try await paginate(range, recovery) {
      .readByGroupType($0, type: .primaryService)
    } items: {
      if case .readByGroupType(let groups) = $0 { groups } else { nil }
    } span: {
      $0.range
    }
    var services: [Service] = []
    for group in groups {
      services.append(Service(uuid: try type(group.value), range: group.range))
    }
    return services
  }

  func characteristics(
    in range: ATTHandleRange, _ recovery: RetryPolicy = .full
  ) async throws(GATTError) -> [Characteristic] {
    var found: [Characteristic] = []
    for item in try await valuesByType(.characteristic, in: range, recovery) {
      do throws(MalformedBytes) {
        found.append(try Characteristic(declaration: item))
      } catch {
        throw .unexpectedAnswer("\(error)")
      }
    }
    return found
  }

  private func information(in range: ATTHandleRange) async throws(GATTError) -> [ATTInformation] {
    try await paginate(range) {
      .findInformation($0)
    } items: {
      if case .findInformation(let items) = $0 { items } else { nil }
    } span: {
      ATTHandleRange(start: $0.handle, end: $0.handle)
    }
  }

  private func serviceType(at handle: UInt16) async throws(GATTError) -> BluetoothUUID {
    try type(try await read(handle))
  }

  private func type(_ value: Bytes) throws(GATTError) -> BluetoothUUID {
    do throws(MalformedBytes) {
      return try BluetoothUUID(littleEndian: value)
    } catch {
      throw .unexpectedAnswer("\(error)")
    }
  }
}
