extension AdvertisingData {
  /// This advertisement's structures, then those that its scan response adds.
  ///
  /// What both have is kept once; where they differ, each look-up below takes the advertisement's.
  public func merging(_ scanResponse: AdvertisingData) -> AdvertisingData {
    var merged = self
    for structure in scanResponse.structures where !structures.contains(structure) {
      merged.structures.append(structure)
    }
    return merged
  }

  /// The complete name, or else the longest shortened one; invalid UTF-8 is repaired.
  ///
  /// It may hold escapes and control characters: neutralise it before it is shown.
  public var localName: String? {
    var shortened: Bytes?
    for case .localName(let bytes, let isComplete) in structures {
      if isComplete { return String(decoding: bytes, as: UTF8.self) }
      if bytes.count > shortened?.count ?? -1 { shortened = bytes }
    }
    return shortened.map { String(decoding: $0, as: UTF8.self) }
  }

  /// All services that are listed, in complete and incomplete lists of any width.
  ///
  /// Those that only have service data are not among them.
  public var serviceUUIDs: Set<BluetoothUUID> {
    var services: Set<BluetoothUUID> = []
    for case .serviceUUIDs(let uuids, _) in structures { services.formUnion(uuids) }
    return services
  }

  /// Whether a service is listed or has service data.
  public func advertises(_ service: BluetoothUUID) -> Bool {
    structures.contains { structure in
      switch structure {
      case .serviceUUIDs(let uuids, _): uuids.contains(service)
      case .serviceData(let uuid, _): uuid == service
      default: false
      }
    }
  }

  /// The data of a service; nil if there is none.
  public func serviceData(for service: BluetoothUUID) -> Bytes? {
    for case .serviceData(service, let data) in structures { return data }
    return nil
  }

  /// The data of a company; nil if there is none.
  public func manufacturerData(for company: UInt16) -> Bytes? {
    for case .manufacturerData(company, let data) in structures { return data }
    return nil
  }

  /// 6 bytes by which a coordinated set knows its members; nil: there are none.
  public var setIdentifier: Bytes? {
    for case .resolvableSetIdentifier(let bytes) in structures { return bytes }
    return nil
  }

  /// Flags: discoverability and transports; nil: not present.
  public var flags: AdvertisingFlags? {
    for case .flags(let flags) in structures { return flags }
    return nil
  }

  /// dBm.
  public var txPower: Int8? {
    for case .txPower(let power) in structures { return power }
    return nil
  }

  /// What the device looks like: a category of 10 bits and a subcategory of 6 (Assigned Numbers,
  /// 2.6).
  public var appearance: UInt16? {
    for case .appearance(let appearance) in structures { return appearance }
    return nil
  }

  /// Services, major and minor class of the BR/EDR side (Assigned Numbers, 2.8).
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

  /// A class of device, of which 24 bits count (CSS Part A, 1.6).
  public static func classOfDevice(_ value: UInt32) -> AdvertisingStructure {
    .other(
      type: classOfDeviceType,
      [
        UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
        UInt8(truncatingIfNeeded: value >> 16),
      ])
  }
}
