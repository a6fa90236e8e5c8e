public import Bluetooth
public import BluetoothCodec
public import GATT
public import HeadphoneProtocols

/// The properties of a virtual headphone; its behaviour follows from docs/protocol.md.
///
/// ```swift
/// var model = VirtualModel(name: "Test Buds", address: PeerAddress(address, .random))
/// model.features.remove(.eq)
/// model.eqPresets = []
/// let headphone = VirtualHeadphone(model, loop: .shared, clock: ContinuousClock())
/// ```
public struct VirtualModel: Hashable, Sendable {
  /// The name at first: ``DeviceSimulator`` has that of today.
  public var name: String
  /// The LE side's, which it keeps.
  public var address: PeerAddress
  /// The address of its audio side, which it advertises; nil: it does not.
  public var audioAddress: BluetoothAddress?
  /// Read from the Device Information service.
  public var information: DeviceInformation
  /// The short or the 128-bit form of the control service.
  public var control: ControlService
  /// Answered to command 0x01.
  public var features: Features
  /// Another maker's headphone; nil: it speaks docs/protocol.md.
  public var family: VirtualFamily?
  /// The modes that it takes.
  public var ancModes: [ANCMode]
  /// The presets that it takes.
  public var eqPresets: [EQPreset]
  /// Bands of the custom equaliser.
  public var bands: Int
  /// Parts with a Battery service of their own, in the order of the services.
  public var batteries: [Part]
  /// How full the batteries are at first; %.
  public var levels: [Part: UInt8]
  /// Whether batteries drain and charge as time passes.
  public var drains: Bool
  /// Whether Battery services are distinguished by a descriptor, or only by their order.
  public var describesBatteries: Bool
  /// Whether commands 0x01 and 0x03 are known; an old headphone has neither.
  public var supportsCapabilities: Bool
  /// Commands that it takes at a time.
  public var window: UInt8
  /// How it takes firmware; nil: it takes none.
  public var firmware: FirmwareReceiver.Setup? {
    didSet {
      if firmware == nil {
        features.remove(.firmwareUpdate)
      } else {
        features.insert(.firmwareUpdate)
      }
    }
  }
  /// How long it cannot be reached when it restarts.
  public var restartTime: Duration = .seconds(3)
  /// The security that the control characteristics demand of the link.
  public var security: SecurityLevel
  /// The best protection that pairing with it can give.
  public var bestSecurity: SecurityLevel
  /// How it pairs: the first time by the first of these, then by the next, round the end.
  public var pairings: [VirtualPairing]
  /// How the event characteristic pushes.
  public var pushes: CharacteristicProperties
  /// How its GATT server behaves.
  public var server: GATTServer.Options
  /// Signal strength at the phone, in dBm.
  public var rssi: Int8

  /// A headphone that has everything.
  public init(name: String, address: PeerAddress) {
    self.name = name
    self.address = address
    audioAddress = nil
    information = DeviceInformation()
    control = .short
    features = Features.all.subtracting(.firmwareUpdate)
    ancModes = ANCMode.allCases
    eqPresets = EQPreset.allCases
    bands = 8
    batteries = Part.allCases
    drains = true
    levels = [.left: 84, .right: 79, .case: 62]
    describesBatteries = true
    supportsCapabilities = true
    window = 1
    security = .low
    bestSecurity = .medium
    pairings = [.justWorks]
    pushes = .notify
    server = GATTServer.Options()
    rssi = -55
  }

  /// The answer to command 0x01.
  var report: CapabilityReport {
    CapabilityReport(
      features: features, ancModes: ancModes, eqPresets: eqPresets,
      bands: features.contains(.customEQ) ? UInt8(clamping: bands) : 0, window: window)
  }
}

extension VirtualModel: CustomStringConvertible {
  public var description: String { name }
}
