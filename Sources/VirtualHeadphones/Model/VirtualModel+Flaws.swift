internal import BluetoothCodec
internal import HeadphoneProtocols

extension VirtualModel {
  /// The headphones of `--adapter virtual-flaws`: one for each flaw that the security check finds.
  ///
  /// | number | headphone | flaw |
  /// | --- | --- | --- |
  /// | 1 | Debug Buds | the debug protocol of its chip on both sides |
  /// | 2 | Unclaimed Buds | Fast Pair without an account key |
  /// | 3 | WH-1000XM3 | firmware with a known flaw |
  /// | 4 | Eager Buds | takes a pairing without being in pairing mode |
  /// | 5 | Short Key | a key of 7 bytes |
  /// | 6 | Old Pairing | LE pairing as before Bluetooth 4.2 |
  /// | 7 | Debug Key | paired with the published debug key |
  ///
  /// None of them encrypts its controls before it is paired. All advertise a name and an address
  /// that stays.
  public static let flawed: [VirtualModel] = [
    .debugService, .unclaimed, .outdated, .eager, .shortKey, .oldPairing, .debugKey,
  ]

  /// A headphone with the debug protocol of Airoha chips on both sides.
  public static let debugService = flawed(1, "Debug Buds") { model in
    model.furtherServices = [airohaGATT].compactMap(\.self)
    model.furtherSerialServices = [airohaSerial].compactMap(\.self)
  }

  /// A headphone whose Fast Pair no account has claimed.
  public static let unclaimed = flawed(2, "Unclaimed Buds") { $0.fastPairData = [0x00, 0x00] }

  /// A headphone with a firmware of 2019.
  public static let outdated = flawed(3, "WH-1000XM3") { model in
    model.information.model = "WH-1000XM3"
    model.information.firmware = "4.2.0"
  }

  /// A headphone that says that it cannot be discovered, and takes a pairing anyway.
  public static let eager = flawed(4, "Eager Buds") { $0.isDiscoverable = false }

  /// A headphone whose keys have the least size.
  public static let shortKey = flawed(5, "Short Key") { $0.keySize = 7 }

  /// A headphone that pairs as before Bluetooth 4.2.
  public static let oldPairing = flawed(6, "Old Pairing") { $0.keyKind = .unauthenticatedLegacy }

  /// A headphone that was delivered with its debug mode on.
  public static let debugKey = flawed(7, "Debug Key") { $0.keyKind = .debugP256 }

  private static let airohaGATT = BluetoothUUID("5052494D-2DAB-0341-6972-6F6861424C45")
  private static let airohaSerial = BluetoothUUID("00000000-0000-0000-0099-AABBCCDDEEFF")

  private static func flawed(
    _ number: UInt64, _ name: String, _ change: (inout VirtualModel) -> Void
  ) -> VirtualModel {
    let address = BluetoothAddress(value: 0xC0DE_5E00_53B0 | number)
    var model = VirtualModel(name: name, address: PeerAddress(address, .random))
    model.audioAddress = BluetoothAddress(value: 0x0000_5E00_53B0 | number)
    model.information = DeviceInformation(
      manufacturer: "Earshot Virtual", model: name, firmware: "1.0.0")
    model.drains = false
    change(&model)
    return model
  }
}
