package import BluetoothCodec

extension Characteristic {
  /// Reads a characteristic declaration; its end is not known from that.
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
  /// Puts characteristics into the services that they lie in, each up to the next one's start.
  ///
  /// `found` is in handle order. What lies in no known service is left out.
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

  /// Replaces all services that touch a range.
  mutating func replace(_ range: ATTHandleRange, by found: [Service]) {
    services.removeAll { $0.range.start <= range.end && range.start <= $0.range.end }
    services += found
    services.sort { $0.range.start < $1.range.start }
  }

  mutating func update(_ service: UInt16, _ change: (inout Service) -> Void) {
    guard let index = services.firstIndex(where: { $0.range.start == service }) else { return }
    change(&services[index])
  }

  mutating func update(_ characteristic: Characteristic, _ change: (inout Characteristic) -> Void) {
    for index in services.indices {
      let place = services[index].characteristics.firstIndex {
        $0.declaration == characteristic.declaration
      }
      if let place { return change(&services[index].characteristics[place]) }
    }
  }

  /// The type of a characteristic value's or a descriptor's attribute, as far as it is known.
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

extension Characteristic {
  /// Where there is room for none or, with a client configuration due, for just one, no request is
  /// needed.
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
