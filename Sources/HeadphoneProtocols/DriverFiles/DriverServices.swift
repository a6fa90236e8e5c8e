package import BluetoothCodec

extension HeadphoneFamily {
  /// Returns the owner of a firmware update service or characteristic, or nil for any other UUID.
  package static func firmwareService(_ uuid: BluetoothUUID) -> String? {
    firmwareServices.first { BluetoothUUID($0.uuid) == uuid }
      .map { "firmware updates (\($0.name))" }
  }

  private static let firmwareServices: [(uuid: String, name: String)] = [
    // Nordic Semiconductor, nRF5 SDK, "Buttonless DFU".
    ("FE59", "Nordic DFU"), ("00001530-1212-EFDE-1523-785FEABCD123", "Nordic DFU"),
    // Zephyr, "SMP over Bluetooth".
    ("8D53DC1D-1DB7-4CD3-868B-8A527460AA84", "MCUmgr"),
    ("DA2E7828-FBCE-4E01-AE9E-261174997C48", "MCUmgr"),
    // Texas Instruments, "Over the Air Download".
    ("F000FFC0-0451-4000-B000-000000000000", "Texas Instruments OAD"),
    // Silicon Labs, AN1086.
    ("1D14D6EE-FD63-4FA1-BFA4-8F47B42119F0", "Silicon Labs OTA"),
    // Telink, the OTA service of its SDK for BLE.
    ("00010203-0405-0607-0809-0A0B0C0D1912", "Telink OTA"),
    ("00010203-0405-0607-0809-0A0B0C0D2B12", "Telink OTA"),
  ]

  /// Returns a service on a serial channel for a driver file.
  ///
  /// Without a vendor, a service that headphones of several makers have is used only if the user
  /// names the file with `--driver`.
  ///
  /// - Parameter vendor: the company in the Device ID record, or nil for any.
  package static func serialService(_ uuid: BluetoothUUID, vendor: UInt16?) -> SerialService {
    let ofSeveral = allCases.flatMap(\.serialServices).contains {
      ($0.isShared || $0.isCommon || $0.vendor != nil) && $0.uuid == uuid
    }
    return SerialService(
      uuid, vendor: vendor,
      isShared: vendor == nil && (ofSeveral || uuid == SerialService.serialPort))
  }
}
