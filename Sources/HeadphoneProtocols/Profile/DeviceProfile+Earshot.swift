internal import BluetoothCodec

extension DeviceProfile {
  /// The profile of headphones with the protocol of docs/protocol.md.
  public static let earshot = DeviceProfile(
    name: "Earshot protocol", controlServices: [.short, .long])
}

extension ControlService {
  /// The 16-bit form: FFF0 with FFF1 to FFF5.
  public static let short = ControlService(
    service: .bit16(0xFFF0), ancMode: .bit16(0xFFF1), eqPreset: .bit16(0xFFF2),
    command: .bit16(0xFFF3), event: .bit16(0xFFF4), firmwareData: .bit16(0xFFF5))

  /// The 128-bit form: 12345678-1234-5678-1234-56789ABCDEF0 with …DEF1 to …DEF5.
  public static let long = ControlService(
    service: .long(0), ancMode: .long(1), eqPreset: .long(2), command: .long(3),
    event: .long(4), firmwareData: .long(5))
}

extension BluetoothUUID {
  fileprivate static func long(_ last: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0x1234_5678_1234_5678, low: 0x1234_5678_9ABC_DEF0 | last)
  }
}
