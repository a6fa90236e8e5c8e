extension HCICommand {
  /// Decodes a command without its packet type.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "HCI command")
    self = try Self(&reader)
    try reader.finish()
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    let opcode = HCIOpcode(rawValue: try reader.uint16())
    var parameters = try reader.section(Int(try reader.uint8()))
    self = try Self.decode(opcode, &parameters)
    try parameters.finish()
  }

  private static func decode(
    _ opcode: HCIOpcode, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> HCICommand {
    switch opcode {
    case .reset: return .reset
    case .readLocalSupportedCommands: return .readLocalSupportedCommands
    case .readRSSI: return .readRSSI(connection: try reader.uint16())
    case .leSetScanParameters:
      return .leSetScanParameters(
        try LEScanTiming(&reader), own: try reader.choice(OwnAddressType.self),
        filterPolicy: try reader.uint8())
    case .leSetScanEnable:
      return .leSetScanEnable(try reader.bool(), filterDuplicates: try reader.bool())
    case .leConnectionUpdate: return .leConnectionUpdate(try LEConnectionUpdate(&reader))
    case .leReadPHY: return .leReadPHY(connection: try reader.uint16())
    case .leSetExtendedScanParameters:
      return .leSetExtendedScanParameters(try LEExtendedScan(&reader))
    case .leSetExtendedScanEnable:
      return .leSetExtendedScanEnable(
        try reader.bool(), filterDuplicates: try reader.choice(LEDuplicateFilter.self),
        duration: try reader.uint16(), period: try reader.uint16())
    default:
      let rest = reader.rest()
      guard let parameters = HCIParameters(rest) else {
        throw reader.malformed(.tooLong(count: rest.count, limit: Int(UInt8.max)))
      }
      return .other(opcode, parameters)
    }
  }
}

extension LEScanTiming {
  fileprivate init(_ reader: inout ByteReader) throws(MalformedBytes) {
    isActive = try reader.bool()
    interval = try reader.uint16()
    window = try reader.uint16()
  }
}

extension LEExtendedScan {
  static let le1MBit: UInt8 = 1 << 0
  static let leCodedBit: UInt8 = 1 << 2

  fileprivate init(_ reader: inout ByteReader) throws(MalformedBytes) {
    own = try reader.choice(OwnAddressType.self)
    filterPolicy = try reader.uint8()
    let phys = try reader.uint8()
    // The parameters of each PHY follow without a tag, so an unknown PHY makes them ambiguous.
    guard phys & ~(Self.le1MBit | Self.leCodedBit) == 0 else {
      throw reader.malformed(.badValue(UInt64(phys)), at: reader.offset - 1)
    }
    le1M = phys & Self.le1MBit == 0 ? nil : try LEScanTiming(&reader)
    leCoded = phys & Self.leCodedBit == 0 ? nil : try LEScanTiming(&reader)
  }
}

extension LEConnectionUpdate {
  fileprivate init(_ reader: inout ByteReader) throws(MalformedBytes) {
    connection = try reader.uint16()
    minimumInterval = try reader.uint16()
    maximumInterval = try reader.uint16()
    latency = try reader.uint16()
    supervisionTimeout = try reader.uint16()
    minimumEventLength = try reader.uint16()
    maximumEventLength = try reader.uint16()
  }
}
