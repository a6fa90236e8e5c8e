extension AdvertisingReport {
  /// The Advertising_SID of a report without an advertising set.
  private static let noSet: UInt8 = 0xFF

  /// The properties that each legacy Event_Type stands for.
  private static let legacyTypes: [AdvertisingProperties] = [
    [.legacy, .connectable, .scannable],  // ADV_IND
    [.legacy, .connectable, .directed],  // ADV_DIRECT_IND
    [.legacy, .scannable],  // ADV_SCAN_IND
    [.legacy],  // ADV_NONCONN_IND
    [.legacy, .scannable, .scanResponse],  // SCAN_RSP
  ]

  /// Decodes one report of an LE Advertising Report event (Core 5.4, Vol 4, Part E, 7.7.65.2).
  ///
  /// | offset | size | field |
  /// | --- | --- | --- |
  /// | 0 | 1 | event type |
  /// | 1 | 1 | address type |
  /// | 2 | 6 | address |
  /// | 8 | 1 | length *n* |
  /// | 9 | *n* | AD structures |
  /// | 9 + *n* | 1 | RSSI |
  ///
  /// - Returns: `nil` for a reserved event type, so that the other reports of the event can be
  ///   used.
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

  /// Decodes one report of an LE Extended Advertising Report event (Core 5.4, Vol 4, Part E,
  /// 7.7.65.13).
  ///
  /// | offset | size | field |
  /// | --- | --- | --- |
  /// | 0 | 2 | properties (bits 0 to 4), data status (5, 6) |
  /// | 2 | 1 | address type |
  /// | 3 | 6 | address |
  /// | 9 | 1 | primary PHY |
  /// | 10 | 1 | secondary PHY |
  /// | 11 | 1 | advertising set, 0xFF for none |
  /// | 12 | 1 | TX power |
  /// | 13 | 1 | RSSI |
  /// | 14 | 2 | periodic advertising interval |
  /// | 16 | 1 | target address type |
  /// | 17 | 6 | target address |
  /// | 23 | 1 | length *n* |
  /// | 24 | *n* | AD structures |
  ///
  /// - Returns: `nil` for a reserved data status, so that the other reports of the event can be
  ///   used.
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

  /// Appends the report in its legacy form.
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

  /// Appends the report in its extended form.
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

  /// Appends length and data; a length that does not fit makes the whole event too long, which its
  /// encoder reports.
  private func appendData(to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: data.count))
    bytes += data
  }
}
