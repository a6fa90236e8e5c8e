package import BluetoothCodec

extension Characteristic {
  /// Decodes a characteristic declaration (Core 5.4, Vol 3, Part G, 3.3.1).
  ///
  /// | offset | size | field |
  /// | --- | --- | --- |
  /// | 0 | 1 | properties |
  /// | 1 | 2 | handle of the value |
  /// | 3 | 2 or 16 | UUID |
  ///
  /// It does not reveal where the characteristic ends.
  ///
  /// - Parameter item: the declaration's handle and value.
  /// - Throws: if it is too short, or the value does not come after its declaration.
  init(declaration item: ATTHandleValue) throws(MalformedBytes) {
    var reader = ByteReader(item.value, of: "characteristic declaration")
    let properties = CharacteristicProperties(rawValue: try reader.uint8())
    let handle = try reader.uint16()
    guard handle > item.handle else {
      throw reader.malformed(.badValue(UInt64(handle)), at: 1)
    }
    self.init(
      uuid: try reader.uuid(reader.remaining), properties: properties, declaration: item.handle,
      handle: handle, end: handle)
  }
}

extension Database {
  /// Sorts characteristics into the services that contain them, each up to the start of the next
  /// one.
  ///
  /// - Parameter found: in handle order; those in no known service are dropped.
  mutating func place(_ found: [Characteristic]) {
    for index in services.indices {
      let range = services[index].range
      var own = found.filter { range.contains($0.declaration) && range.contains($0.handle) }
      for place in own.indices {
        let next = place + 1
        let last = next < own.endIndex ? own[next].declaration - 1 : range.end
        own[place].end = max(own[place].handle, last)
        own[place].inferDescriptors()
      }
      services[index].characteristics = own
    }
  }

  /// Replaces all services that overlap a range.
  mutating func replace(_ range: ATTHandleRange, by found: [Service]) {
    services.removeAll { $0.range.overlaps(range) }
    services += found
    services.sort { $0.range.start < $1.range.start }
  }

  /// Adds secondary services, except those that overlap others by the server's claim.
  mutating func addSecondary(_ found: [Service]) {
    services += found.filter { found in !services.contains { $0.range.overlaps(found.range) } }
    services.sort { $0.range.start < $1.range.start }
  }

  /// A range, extended to the whole of each service that it overlaps.
  func wholeServices(touching range: ATTHandleRange) -> ATTHandleRange {
    var whole = range
    var isWider = true
    // A second round is needed only where services overlap, as in a damaged cache.
    while isWider {
      let touched = services.filter { $0.range.overlaps(whole) }
      let wider = touched.reduce(whole) { $0.union($1.range) }
      isWider = wider != whole
      whole = wider
    }
    return whole
  }

  /// A range, extended to the start of the last service that begins before it.
  func withServiceBefore(_ range: ATTHandleRange) -> ATTHandleRange {
    let before = services.map(\.range).filter { $0.start < range.start }
    return before.max { $0.start < $1.start }.map(range.union) ?? range
  }

  /// A changed range, extended to whole services, old and new, and to all that changed beside it.
  ///
  /// - Parameters:
  ///   - range: the range that the server indicated.
  ///   - found: the services that are in `asked` now.
  ///   - asked: the range that was discovered again; it contains `range`.
  func range(
    _ range: ATTHandleRange, widenedBy found: Database, in asked: ATTHandleRange
  ) -> ATTHandleRange {
    let old = services.filter { $0.range.overlaps(asked) }
    let touched = (old + found.services).filter { service in
      service.range.overlaps(range) || !old.contains(where: service.hasSamePlace)
        || !found.services.contains(where: service.hasSamePlace)
    }
    return wholeServices(touching: touched.reduce(range) { $0.union($1.range) })
  }

  /// Changes the service that starts at a handle, if there is one.
  mutating func update(_ service: UInt16, _ change: (inout Service) -> Void) {
    guard let index = services.firstIndex(where: { $0.range.start == service }) else { return }
    change(&services[index])
  }

  /// Changes a characteristic, if it is still at its place.
  mutating func update(_ characteristic: Characteristic, _ change: (inout Characteristic) -> Void) {
    for index in services.indices {
      let place = services[index].characteristics.firstIndex {
        $0.hasSamePlace(as: characteristic)
      }
      if let place { return change(&services[index].characteristics[place]) }
    }
  }

  /// The type of the value or descriptor at a handle; `nil` if it is not known.
  package func type(of handle: UInt16) -> BluetoothUUID? {
    guard let service = services.first(where: { $0.range.contains(handle) }) else { return nil }
    for characteristic in service.characteristics {
      if characteristic.handle == handle { return characteristic.uuid }
      if let found = characteristic.descriptors?.first(where: { $0.handle == handle }) {
        return found.uuid
      }
    }
    return nil
  }
}

extension Service {
  /// Whether both are the same service, whatever is known of their contents.
  fileprivate func hasSamePlace(as other: Service) -> Bool {
    uuid == other.uuid && range == other.range && isPrimary == other.isPrimary
  }
}

extension ATTHandleRange {
  /// Whether the two ranges have a handle in common.
  package func overlaps(_ other: ATTHandleRange) -> Bool {
    start <= other.end && other.start <= end
  }

  /// The smallest range that contains both.
  package func union(_ other: ATTHandleRange) -> ATTHandleRange {
    ATTHandleRange(start: min(start, other.start), end: max(end, other.end))
  }
}

extension Characteristic {
  /// Whether both are the same characteristic, whatever is known of its descriptors.
  fileprivate func hasSamePlace(as other: Characteristic) -> Bool {
    uuid == other.uuid && declaration == other.declaration && handle == other.handle
      && end == other.end
  }

  /// Adds the descriptors that need no request.
  ///
  /// These are none if there is no room, and one client configuration if one is required and there
  /// is room for exactly one descriptor.
  fileprivate mutating func inferDescriptors() {
    guard let range = descriptorRange else {
      descriptors = []
      return
    }
    guard range.start == range.end, !properties.isDisjoint(with: [.notify, .indicate]) else {
      return
    }
    descriptors = [Descriptor(uuid: .clientConfiguration, handle: range.start)]
  }
}
