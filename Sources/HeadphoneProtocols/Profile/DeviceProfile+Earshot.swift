internal import BluetoothCodec

extension DeviceProfile {
  public static let earshot = DeviceProfile(
    name: "Earshot protocol", controlServices: [.short, .long])
}

extension ControlService {
  public static let short = ControlService(
    service: .bit16(0xFFF0), ancMode: .bit16(0xFFF1), eqPreset: .bit16(0xFFF2),
    command: .bit16(0xFFF3), event: .bit16(0xFFF4), firmwareData: .bit16(0xFFF5))

  public static let long = ControlService(
    service: .long(0), ancMode: .long(1), eqPreset: .long(2), command: .long(3),
    event: .long(4), firmwareData: .long(5))
}

extension BluetoothUUID {
  fileprivate static func long(_ last: UInt64) -> BluetoothUUID {
    BluetoothUUID(high: 0x1234_5678_1234_5678, low: 0x1234_5678_9ABC_DEF0 | last)
  }
}
