package import BluetoothCodec

extension Characteristic {
  /// Decodes a characteristic declaration (Core 5.4, Vol 3, Part G, 3.3.1).
  ///
  /// It has properties (1), the handle of the value (2) and a UUID (2 or 16), but no end.
  ///
  /// - Throws: `MalformedBytes` if it is too short or the value does not follow its declaration.
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
  /// Places characteristics in the services that contain them, each up to the start of the next.
  ///
  /// - Parameter found: in handle order; those outside of known services are dropped.
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

  mutating func replace(_ range: ATTHandleRange, by found: [Service]) {
    services.removeAll { $0.range.overlaps(range) }
    services += found
    services.sort { $0.range.start < $1.range.start }
  }

  mutating func addSecondary(_ found: [Service]) {
    services += found.filter { found in !services.contains { $0.range.overlaps(found.range) } }
    services.sort { $0.range.start < $1.range.start }
  }

  /// Returns a range extended to the whole of each service that it overlaps.
  func wholeServices(touching range: ATTHandleRange) -> ATTHandleRange {
    var whole = range
    var isWider = true
    while isWider {
      let touched = services.filter { $0.range.overlaps(whole) }
      let wider = touched.reduce(whole) { $0.union($1.range) }
      isWider = wider != whole
      whole = wider
    }
    return whole
  }

  func withServiceBefore(_ range: ATTHandleRange) -> ATTHandleRange {
    let before = services.map(\.range).filter { $0.start < range.start }
    return before.max { $0.start < $1.start }.map(range.union) ?? range
  }

  /// Returns a changed range extended to whole services, old and new, and other changes nearby.
  ///
  /// `range` was indicated by the server; `found` are the services now in the wider range `asked`.
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

  mutating func update(_ service: UInt16, _ change: (inout Service) -> Void) {
    guard let index = services.firstIndex(where: { $0.range.start == service }) else { return }
    change(&services[index])
  }

  mutating func update(_ characteristic: Characteristic, _ change: (inout Characteristic) -> Void) {
    for index in services.indices {
      let place = services[index].characteristics.firstIndex {
        $0.hasSamePlace(as: characteristic)
      }
      if let place { return change(&services[index].characteristics[place]) }
    }
  }

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
  fileprivate func hasSamePlace(as other: Service) -> Bool {
    uuid == other.uuid && range == other.range && isPrimary == other.isPrimary
  }
}

extension ATTHandleRange {
  package func overlaps(_ other: ATTHandleRange) -> Bool {
    start <= other.end && other.start <= end
  }

  package func union(_ other: ATTHandleRange) -> ATTHandleRange {
    ATTHandleRange(start: min(start, other.start), end: max(end, other.end))
  }
}

extension Characteristic {
  fileprivate func hasSamePlace(as other: Characteristic) -> Bool {
    uuid == other.uuid && declaration == other.declaration && handle == other.handle
      && end == other.end
  }

  /// Sets the descriptors that are known without a request.
  ///
  /// There are none without room, and one client configuration if one is required and there is room
  /// for exactly one descriptor.
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
