public import BluetoothCodec

extension WireEvent {
  /// Decodes a value of FFF4 whose first byte is not A5; a payload may be longer than defined.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "event")
    let code = try reader.uint8()
    guard let kind = EventLayout.Kind(standardCode: code) else {
      throw MalformedBytes("event", at: 0, .unknownType(UInt64(code)))
    }
    self = try Self.payload(of: kind, from: &reader)
  }

  private static func payload(
    of kind: EventLayout.Kind, from reader: inout ByteReader
  ) throws(MalformedBytes) -> WireEvent {
    switch kind {
    case .wearing: .wearing(left: try reader.flag(), right: try reader.flag())
    case .battery: .battery(try BatteryReport(from: &reader))
    case .anc: .anc(try reader.value(of: ANCMode.self))
    case .firmwareProgress: .firmwareProgress(try reader.uint8(in: 0...100))
    case .eq:
      .eq(
        try reader.value(of: EQPreset.self),
        bands: reader.remaining > 0 ? try reader.gains() : nil)
    case .caseLid: .caseLid(isOpen: try reader.flag())
    case .touch:
      .touch(try reader.value(of: Side.self), try reader.value(of: TouchGesture.self))
    case .firmwareAcknowledged:
      .firmwareAcknowledged(
        FirmwareAcknowledgement(
          contiguousOffset: try reader.uint32(), window: try reader.uint8(),
          arrived: try reader.uint32()))
    case .error: .error(HeadphoneStatus(code: try reader.uint8()))
    }
  }
}

extension BatteryReport {
  package static let unknown: UInt8 = 0xFF

  fileprivate init(from reader: inout ByteReader) throws(MalformedBytes) {
    let left = try reader.level()
    let right = try reader.level()
    let `case` = try reader.level()
    var charging: Set<Part>?
    if reader.remaining > 0 {
      let bits = try reader.uint8()
      charging = Set(Part.allCases.filter { bits & $0.chargingBit != 0 })
    }
    self.init(left: left, right: right, case: `case`, charging: charging)
  }
}

extension Part {
  package var chargingBit: UInt8 { 1 << rawValue }
}

extension ByteReader {
  /// Reads a level in %, or nil for 0xFF.
  fileprivate mutating func level() throws(MalformedBytes) -> UInt8? {
    let raw = try uint8()
    if raw == BatteryReport.unknown { return nil }
    guard raw <= 100 else {
      throw MalformedBytes(what, at: offset - 1, .badValue(UInt64(raw)))
    }
    return raw
  }
}
