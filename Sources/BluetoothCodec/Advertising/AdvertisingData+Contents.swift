extension AdvertisingData {
  /// Returns the structures of this advertisement and those that only its scan response has.
  ///
  /// Where the two differ, each property and function below prefers the advertisement.
  public func merging(_ scanResponse: AdvertisingData) -> AdvertisingData {
    var merged = self
    for structure in scanResponse.structures where !structures.contains(structure) {
      merged.structures.append(structure)
    }
    return merged
  }

  /// The complete name, the longest shortened one, or nil if there is neither.
  ///
  /// It ends at the first zero byte, with invalid UTF-8 repaired and without a character cut in
  /// two. Control characters must be neutralised before it is shown.
  public var localName: String? {
    var shortened: Bytes?
    for case .localName(let bytes, let isComplete) in structures {
      let bytes = bytes.prefix { $0 != 0 }
      if isComplete { return String(decoding: bytes, as: UTF8.self) }
      if bytes.count > shortened?.count ?? -1 { shortened = bytes }
    }
    return shortened.map { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return text.hasSuffix("\u{FFFD}") ? String(text.dropLast()) : text
    }
  }

  /// Whether the structures contain a shortened name and no complete one.
  public var isNameShortened: Bool {
    var isShortened = false
    for case .localName(_, let isComplete) in structures {
      if isComplete { return false }
      isShortened = true
    }
    return isShortened
  }

  /// The services in all complete and incomplete lists, not those with service data only.
  public var serviceUUIDs: Set<BluetoothUUID> {
    var services: Set<BluetoothUUID> = []
    for case .serviceUUIDs(let uuids, _) in structures { services.formUnion(uuids) }
    return services
  }

  /// Returns whether `service` is listed or has service data.
  public func advertises(_ service: BluetoothUUID) -> Bool {
    structures.contains { structure in
      switch structure {
      case .serviceUUIDs(let uuids, _): uuids.contains(service)
      case .serviceData(let uuid, _): uuid == service
      default: false
      }
    }
  }

  /// Returns the first service data of `service`, or nil if there is none.
  public func serviceData(for service: BluetoothUUID) -> Bytes? {
    for case .serviceData(service, let data) in structures { return data }
    return nil
  }

  /// Returns a company's first manufacturer-specific data without the company identifier, or nil.
  public func manufacturerData(for company: UInt16) -> Bytes? {
    for case .manufacturerData(company, let data) in structures { return data }
    return nil
  }

  /// The Resolvable Set Identifier of a coordinated set's member (6 bytes), or nil.
  public var setIdentifier: Bytes? {
    for case .resolvableSetIdentifier(let bytes) in structures { return bytes }
    return nil
  }

  /// The flags, or nil if there are none.
  public var flags: AdvertisingFlags? {
    for case .flags(let flags) in structures { return flags }
    return nil
  }

  /// The transmit power in dBm, or nil if it is not advertised.
  public var txPower: Int8? {
    for case .txPower(let power) in structures { return power }
    return nil
  }

  /// The appearance, a category of 10 bits and a subcategory of 6 (Assigned Numbers, 2.6), or nil.
  public var appearance: UInt16? {
    for case .appearance(let appearance) in structures { return appearance }
    return nil
  }

  /// The 24-bit class of device of the BR/EDR side (Assigned Numbers, 2.8), or nil.
  public var classOfDevice: UInt32? {
    for case .other(type: AdvertisingStructure.classOfDeviceType, let bytes) in structures {
      guard bytes.count == 3 else { continue }
      return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    return nil
  }
}

extension AdvertisingStructure {
  fileprivate static let classOfDeviceType: UInt8 = 0x0D

  /// Returns the structure for the lower 24 bits of a class of device (CSS Part A, 1.6).
  public static func classOfDevice(_ value: UInt32) -> AdvertisingStructure {
    .other(
      type: classOfDeviceType,
      [
        UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
        UInt8(truncatingIfNeeded: value >> 16),
      ])
  }
}
