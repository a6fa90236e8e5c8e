internal import BluetoothCodec

/// The set of scan commands that a controller is used with, legacy or extended.
///
/// A controller rejects one set after the other was used (Core 5.4, Vol 4, Part E, 3.1.1), so the
/// choice must be that of the kernel: extended if the controller supports both extended commands.
enum ScanMethod: Hashable, Sendable {
  case legacy, extended

  /// The kernel's choice for a controller.
  init(_ commands: HCISupportedCommands) {
    let hasExtended =
      commands.contains(.leSetExtendedScanParameters) && commands.contains(.leSetExtendedScanEnable)
    self = hasExtended ? .extended : .legacy
  }

  /// The command that sets the scan parameters: a window of 60 ms in an interval of 60 ms, in units
  /// of 0.625 ms.
  func parameters(own: OwnAddressType, isActive: Bool) -> HCICommand {
    let timing = LEScanTiming(isActive: isActive, interval: 0x60, window: 0x60)
    return switch self {
    case .legacy: .leSetScanParameters(timing, own: own, filterPolicy: 0)
    case .extended: .leSetExtendedScanParameters(LEExtendedScan(own: own, le1M: timing))
    }
  }

  /// The command that starts or stops the scan.
  ///
  /// Duplicates are reported, because each one has a new RSSI.
  func enable(_ isEnabled: Bool) -> HCICommand {
    switch self {
    case .legacy: .leSetScanEnable(isEnabled, filterDuplicates: false)
    case .extended:
      .leSetExtendedScanEnable(isEnabled, filterDuplicates: .off, duration: 0, period: 0)
    }
  }
}

extension HCICommand {
  /// Whether a command starts (true) or stops (false) a scan; `nil` for other commands.
  var scanEnable: Bool? {
    switch self {
    case .leSetScanEnable(let isEnabled, _): isEnabled
    case .leSetExtendedScanEnable(let isEnabled, _, _, _): isEnabled
    default: nil
    }
  }

  /// Whether a command makes an LE connection.
  var isConnecting: Bool {
    opcode == .leCreateConnection || opcode == .leExtendedCreateConnection
  }
}

extension HCIOpcode {
  static let leCreateConnection = HCIOpcode(group: 0x08, command: 0x000D)
  static let leExtendedCreateConnection = HCIOpcode(group: 0x08, command: 0x0043)
}
