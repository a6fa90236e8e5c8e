extension AdvertisingData {
  /// This advertisement's structures, followed by those that its scan response adds.
  ///
  /// Equal structures are kept once; where the two differ, each look-up below prefers the
  /// advertisement.
  ///
  /// - Parameter scanResponse: the AD structures of a SCAN_RSP.
  public func merging(_ scanResponse: AdvertisingData) -> AdvertisingData {
    var merged = self
    for structure in scanResponse.structures where !structures.contains(structure) {
      merged.structures.append(structure)
    }
    return merged
  }

  /// The complete name, or else the longest shortened one; invalid UTF-8 is repaired, and a character
  /// that was cut in two is left out.
  ///
  /// It may contain escape sequences and control characters, which must be neutralised before it is
  /// shown. `nil` if there is no name.
  public var localName: String? {
    var shortened: Bytes?
    for case .localName(let bytes, let isComplete) in structures {
      if isComplete { return String(decoding: bytes, as: UTF8.self) }
      if bytes.count > shortened?.count ?? -1 { shortened = bytes }
    }
    return shortened.map { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return text.hasSuffix("\u{FFFD}") ? String(text.dropLast()) : text
    }
  }

  /// Whether there is only the beginning of the name.
  public var isNameShortened: Bool {
    var isShortened = false
    for case .localName(_, let isComplete) in structures {
      if isComplete { return false }
      isShortened = true
    }
    return isShortened
  }

  /// All listed services, from complete and incomplete lists of any UUID size.
  ///
  /// Services that have only service data are not among them.
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

  /// The first service data of a service; `nil` if there is none.
  public func serviceData(for service: BluetoothUUID) -> Bytes? {
    for case .serviceData(service, let data) in structures { return data }
    return nil
  }

  /// The first manufacturer-specific data of a company; `nil` if there is none.
  ///
  /// - Parameter company: the assigned company identifier.
  /// - Returns: the data without the identifier.
  public func manufacturerData(for company: UInt16) -> Bytes? {
    for case .manufacturerData(company, let data) in structures { return data }
    return nil
  }

  /// The Resolvable Set Identifier of a coordinated set's member, 6 bytes; `nil` if there is none.
  public var setIdentifier: Bytes? {
    for case .resolvableSetIdentifier(let bytes) in structures { return bytes }
    return nil
  }

  /// The flags: discoverability and transports; `nil` if there are none.
  public var flags: AdvertisingFlags? {
    for case .flags(let flags) in structures { return flags }
    return nil
  }

  /// The transmit power in dBm; `nil` if it is not advertised.
  public var txPower: Int8? {
    for case .txPower(let power) in structures { return power }
    return nil
  }

  /// The appearance: a category of 10 bits and a subcategory of 6 (Assigned Numbers, 2.6); `nil` if
  /// it is not advertised.
  public var appearance: UInt16? {
    for case .appearance(let appearance) in structures { return appearance }
    return nil
  }

  /// The class of device of the BR/EDR side, 24 bits (Assigned Numbers, 2.8); `nil` if it is not
  /// advertised.
  public var classOfDevice: UInt32? {
    for case .other(type: AdvertisingStructure.classOfDeviceType, let bytes) in structures {
      guard bytes.count == 3 else { continue }
      return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    return nil
  }
}

extension AdvertisingStructure {
  /// The AD type of a class of device.
  fileprivate static let classOfDeviceType: UInt8 = 0x0D

  /// The AD structure of a class of device (CSS Part A, 1.6), of which the lower 24 bits are used.
  public static func classOfDevice(_ value: UInt32) -> AdvertisingStructure {
    .other(
      type: classOfDeviceType,
      [
        UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
        UInt8(truncatingIfNeeded: value >> 16),
      ])
  }
}
