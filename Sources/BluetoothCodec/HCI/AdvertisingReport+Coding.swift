extension AdvertisingReport {
  private static let noSet: UInt8 = 0xFF

  private static let legacyTypes: [AdvertisingProperties] = [
    [.legacy, .connectable, .scannable],  // ADV_IND
    [.legacy, .connectable, .directed],  // ADV_DIRECT_IND
    [.legacy, .scannable],  // ADV_SCAN_IND
    [.legacy],  // ADV_NONCONN_IND
    [.legacy, .scannable, .scanResponse],  // SCAN_RSP
  ]

  /// Decodes a report of an LE Advertising Report event (Core 5.4, Vol 4, Part E, 7.7.65.2).
  ///
  /// Returns nil for a reserved event type, so that the event's other reports can be used.
  init?(legacy reader: inout ByteReader) throws(MalformedBytes) {
    let type = Int(try reader.uint8())
    let addressType = PeerAddressType(rawValue: try reader.uint8())
    let address = try reader.address()
    let data = try reader.read(Int(try reader.uint8()))
    let rssi = try reader.power()
    guard Self.legacyTypes.indices.contains(type) else { return nil }
    self.init(
      Self.legacyTypes[type], addressType: addressType, address: address, rssi: rssi, data: data)
  }

  /// Decodes a report of an LE Extended Advertising Report (Core 5.4, Vol 4, Part E, 7.7.65.13).
  ///
  /// Returns nil for a reserved data status, so that the event's other reports can be used.
  init?(extended reader: inout ByteReader) throws(MalformedBytes) {
    let event = try reader.uint16()
    let status = AdvertisingDataStatus(rawValue: UInt8(event >> 5 & 0b11))
    properties = AdvertisingProperties(rawValue: UInt8(event & 0x1F))
    dataStatus = status ?? .truncated
    addressType = PeerAddressType(rawValue: try reader.uint8())
    address = try reader.address()
    primaryPHY = PHY(rawValue: try reader.uint8())
    secondaryPHY = PHY(rawValue: try reader.uint8())
    let set = try reader.uint8()
    self.set = set == Self.noSet ? nil : set
    txPower = try reader.power()
    rssi = try reader.power()
    periodicInterval = try reader.uint16()
    targetType = PeerAddressType(rawValue: try reader.uint8())
    target = try reader.address()
    data = try reader.read(Int(try reader.uint8()))
    if status == nil { return nil }
  }

  func appendLegacy(to bytes: inout [UInt8]) {
    let type =
      properties.contains(.scanResponse)
      ? Self.legacyTypes.count - 1 : Self.legacyTypes.firstIndex(of: properties) ?? 0
    bytes.append(UInt8(type))
    bytes.append(addressType.rawValue)
    bytes.append(address)
    appendData(to: &bytes)
    bytes.append(power: rssi)
  }

  func appendExtended(to bytes: inout [UInt8]) {
    bytes.append(littleEndian: UInt16(properties.rawValue) | UInt16(dataStatus.rawValue) << 5)
    bytes.append(addressType.rawValue)
    bytes.append(address)
    bytes.append(primaryPHY.rawValue)
    bytes.append(secondaryPHY.rawValue)
    bytes.append(set ?? Self.noSet)
    bytes.append(power: txPower)
    bytes.append(power: rssi)
    bytes.append(littleEndian: periodicInterval)
    bytes.append(targetType.rawValue)
    bytes.append(target)
    appendData(to: &bytes)
  }

  /// Appends the length and the data; the event's encoder reports a length that does not fit.
  private func appendData(to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: data.count))
    bytes += data
  }
}
