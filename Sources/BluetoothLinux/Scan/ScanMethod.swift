internal import BluetoothCodec

/// Which of the two families of scan commands a controller is driven with.
///
/// A controller refuses one after the other was used (Core 5.4, Vol 4, Part E, 3.1.1), so the
/// choice must be the kernel's: extended where the controller has both extended commands.
enum ScanMethod: Hashable, Sendable {
  case legacy, extended

  /// Active, all the time: 60 ms window in a 60 ms interval, in units of 0.625 ms.
  private static let timing = LEScanTiming(isActive: true, interval: 0x60, window: 0x60)

  init(_ commands: HCISupportedCommands) {
    let hasExtended =
      commands.contains(.leSetExtendedScanParameters) && commands.contains(.leSetExtendedScanEnable)
    self = hasExtended ? .extended : .legacy
  }

  func parameters(own: OwnAddressType) -> HCICommand {
    switch self {
    case .legacy: .leSetScanParameters(Self.timing, own: own, filterPolicy: 0)
    case .extended: .leSetExtendedScanParameters(LEExtendedScan(own: own, le1M: Self.timing))
    }
  }

  /// Duplicates are wanted: each carries a new RSSI.
  func enable(_ isEnabled: Bool) -> HCICommand {
    switch self {
    case .legacy: .leSetScanEnable(isEnabled, filterDuplicates: false)
    case .extended:
      .leSetExtendedScanEnable(isEnabled, filterDuplicates: .off, duration: 0, period: 0)
    }
  }
}

extension HCICommand {
  /// What a command says about scanning: true on, false off, nil nothing.
  var scanEnable: Bool? {
    switch self {
    case .leSetScanEnable(let isEnabled, _): isEnabled
    case .leSetExtendedScanEnable(let isEnabled, _, _, _): isEnabled
    default: nil
    }
  }

  /// Whether it makes an LE connection.
  var isConnecting: Bool {
    opcode == .leCreateConnection || opcode == .leExtendedCreateConnection
  }
}

extension HCIOpcode {
  static let leCreateConnection = HCIOpcode(group: 0x08, command: 0x000D)
  static let leExtendedCreateConnection = HCIOpcode(group: 0x08, command: 0x0043)
}
