extension HCICommand {
  public var opcode: HCIOpcode {
    switch self {
    case .reset: .reset
    case .readLocalSupportedCommands: .readLocalSupportedCommands
    case .readRSSI: .readRSSI
    case .leSetScanParameters: .leSetScanParameters
    case .leSetScanEnable: .leSetScanEnable
    case .leConnectionUpdate: .leConnectionUpdate
    case .leReadPHY: .leReadPHY
    case .leSetExtendedScanParameters: .leSetExtendedScanParameters
    case .leSetExtendedScanEnable: .leSetExtendedScanEnable
    case .other(let opcode, _): opcode
    }
  }

  /// Returns the opcode, the length and the parameters, without a packet type.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: opcode.rawValue)
    bytes.append(0)
    appendParameters(to: &bytes)
    bytes[2] = UInt8(truncatingIfNeeded: bytes.count - 3)
    return bytes
  }

  private func appendParameters(to bytes: inout [UInt8]) {
    switch self {
    case .reset, .readLocalSupportedCommands: break
    case .readRSSI(let connection), .leReadPHY(let connection):
      bytes.append(littleEndian: connection)
    case .leSetScanParameters(let timing, let own, let filterPolicy):
      timing.append(to: &bytes)
      bytes.append(own.rawValue)
      bytes.append(filterPolicy)
    case .leSetScanEnable(let isEnabled, let filterDuplicates):
      bytes.append(isEnabled ? 1 : 0)
      bytes.append(filterDuplicates ? 1 : 0)
    case .leConnectionUpdate(let update): update.append(to: &bytes)
    case .leSetExtendedScanParameters(let scan): scan.append(to: &bytes)
    case .leSetExtendedScanEnable(let isEnabled, let filterDuplicates, let duration, let period):
      bytes.append(isEnabled ? 1 : 0)
      bytes.append(filterDuplicates.rawValue)
      bytes.append(littleEndian: duration)
      bytes.append(littleEndian: period)
    case .other(_, let parameters): bytes += parameters.bytes
    }
  }
}

extension LEScanTiming {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(isActive ? 1 : 0)
    bytes.append(littleEndian: interval)
    bytes.append(littleEndian: window)
  }
}

extension LEExtendedScan {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes.append(own.rawValue)
    bytes.append(filterPolicy)
    bytes.append((le1M == nil ? 0 : Self.le1MBit) | (leCoded == nil ? 0 : Self.leCodedBit))
    le1M?.append(to: &bytes)
    leCoded?.append(to: &bytes)
  }
}

extension LEConnectionUpdate {
  fileprivate func append(to bytes: inout [UInt8]) {
    for field in [
      connection, minimumInterval, maximumInterval, latency, supervisionTimeout,
      minimumEventLength, maximumEventLength,
    ] {
      bytes.append(littleEndian: field)
    }
  }
}
