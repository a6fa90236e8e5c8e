internal import BluetoothCodec

/// The set of scan commands for a controller: legacy or extended.
///
/// A controller rejects one set after the other was used (Core 5.4, Vol 4, Part E, 3.1.1). This
/// must therefore be the kernel's choice: extended if the controller supports both extended
/// commands.
enum ScanMethod: Hashable, Sendable {
  case legacy, extended

  init(_ commands: HCISupportedCommands) {
    let hasExtended =
      commands.contains(.leSetExtendedScanParameters) && commands.contains(.leSetExtendedScanEnable)
    self = hasExtended ? .extended : .legacy
  }

  /// Returns the command that sets the scan parameters: a window of 60 ms every 60 ms.
  func parameters(own: OwnAddressType, isActive: Bool) -> HCICommand {
    let timing = LEScanTiming(isActive: isActive, interval: 0x60, window: 0x60)
    return switch self {
    case .legacy: .leSetScanParameters(timing, own: own, filterPolicy: 0)
    case .extended: .leSetExtendedScanParameters(LEExtendedScan(own: own, le1M: timing))
    }
  }

  /// Returns the command that starts or stops the scan, with duplicates, as each has a new RSSI.
  func enable(_ isEnabled: Bool) -> HCICommand {
    switch self {
    case .legacy: .leSetScanEnable(isEnabled, filterDuplicates: false)
    case .extended:
      .leSetExtendedScanEnable(isEnabled, filterDuplicates: .off, duration: 0, period: 0)
    }
  }
}

extension HCICommand {
  var scanEnable: Bool? {
    switch self {
    case .leSetScanEnable(let isEnabled, _): isEnabled
    case .leSetExtendedScanEnable(let isEnabled, _, _, _): isEnabled
    default: nil
    }
  }

  var isConnecting: Bool {
    opcode == .leCreateConnection || opcode == .leExtendedCreateConnection
  }
}

extension HCIOpcode {
  static let leCreateConnection = HCIOpcode(group: 0x08, command: 0x000D)
  static let leExtendedCreateConnection = HCIOpcode(group: 0x08, command: 0x0043)
}
