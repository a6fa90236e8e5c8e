/// The type byte of an AD structure (Assigned Numbers, 2.3).
struct AdvertisingType: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral {
  var rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }
  init(integerLiteral value: UInt8) { rawValue = value }

  static let flags: Self = 0x01
  static let incompleteServices16: Self = 0x02
  static let completeServices16: Self = 0x03
  static let incompleteServices32: Self = 0x04
  static let completeServices32: Self = 0x05
  static let incompleteServices128: Self = 0x06
  static let completeServices128: Self = 0x07
  static let shortenedName: Self = 0x08
  static let completeName: Self = 0x09
  static let txPower: Self = 0x0A
  static let classOfDevice: Self = 0x0D
  static let pairingHash192: Self = 0x0E
  static let pairingRandomizer192: Self = 0x0F
  static let deviceIDOrTemporaryKey: Self = 0x10
  static let outOfBandFlags: Self = 0x11
  static let connectionInterval: Self = 0x12
  static let solicitation16: Self = 0x14
  static let solicitation128: Self = 0x15
  static let serviceData16: Self = 0x16
  static let publicTargets: Self = 0x17
  static let randomTargets: Self = 0x18
  static let appearance: Self = 0x19
  static let advertisingInterval: Self = 0x1A
  static let deviceAddress: Self = 0x1B
  static let role: Self = 0x1C
  static let pairingHash256: Self = 0x1D
  static let pairingRandomizer256: Self = 0x1E
  static let solicitation32: Self = 0x1F
  static let serviceData32: Self = 0x20
  static let serviceData128: Self = 0x21
  static let secureConnectionsConfirmation: Self = 0x22
  static let secureConnectionsRandom: Self = 0x23
  static let uri: Self = 0x24
  static let indoorPositioning: Self = 0x25
  static let transportDiscovery: Self = 0x26
  static let supportedFeatures: Self = 0x27
  static let channelMapUpdate: Self = 0x28
  static let meshProvisioning: Self = 0x29
  static let meshMessage: Self = 0x2A
  static let meshBeacon: Self = 0x2B
  static let isochronousGroup: Self = 0x2C
  static let broadcastCode: Self = 0x2D
  static let resolvableSetIdentifier: Self = 0x2E
  static let longAdvertisingInterval: Self = 0x2F
  static let broadcastName: Self = 0x30
  static let encrypted: Self = 0x31
  static let periodicResponseTiming: Self = 0x32
  static let electronicShelfLabel: Self = 0x34
  static let threeDimensionalInformation: Self = 0x3D
  static let manufacturerData: Self = 0xFF
}

extension AdvertisingType: CustomStringConvertible {
  var description: String { "AD structure 0x\(hexadecimal(rawValue, width: 2))" }
}
