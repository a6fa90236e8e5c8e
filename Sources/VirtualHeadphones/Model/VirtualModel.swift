public import BluetoothAttributes
public import BluetoothCodec
public import BluetoothRadio
public import HeadphoneProtocols

/// The properties of a virtual headphone; docs/protocol.md defines its behaviour.
///
/// ```swift
/// var model = VirtualModel(name: "Test Buds", address: PeerAddress(address, .random))
/// model.features.remove(.eq)
/// model.eqPresets = []
/// let headphone = VirtualHeadphone(model, loop: .shared, clock: ContinuousClock())
/// ```
public struct VirtualModel: Hashable, Sendable {
  /// The initial name; ``DeviceSimulator`` has the current one.
  public var name: String
  public var address: PeerAddress
  /// The advertised address of the BR/EDR side, or nil if the headphone does not advertise it.
  public var audioAddress: BluetoothAddress?
  public var information: DeviceInformation
  /// The control service, with 16-bit or 128-bit UUIDs.
  public var control: ControlService
  public var features: Features
  /// The state of another maker's headphone, or nil for one with the protocol of docs/protocol.md.
  public var family: VirtualFamily?
  /// The supported modes of noise control.
  public var ancModes: [ANCMode]
  /// The supported equaliser presets.
  public var eqPresets: [EQPreset]
  /// The number of bands of the custom equaliser.
  public var bands: Int
  /// The parts with a Battery service, in the order of the services.
  public var batteries: [Part]
  /// The initial battery levels in %.
  public var levels: [Part: UInt8]
  public var drains: Bool
  /// Whether descriptors distinguish the Battery services, rather than only their order.
  public var describesBatteries: Bool
  /// Whether commands 0x01 and 0x03 are supported; an old headphone has neither.
  public var supportsCapabilities: Bool
  /// The number of commands that the headphone accepts at a time.
  public var window: UInt8
  /// The properties of firmware updates, or nil if the headphone does not support them.
  public var firmware: FirmwareReceiver.Setup? {
    didSet {
      if firmware == nil {
        features.remove(.firmwareUpdate)
      } else {
        features.insert(.firmwareUpdate)
      }
    }
  }
  /// The time for which the headphone cannot be reached during a restart.
  public var restartTime: Duration = .seconds(3)
  public var security: SecurityLevel
  public var bestSecurity: SecurityLevel
  /// The pairing methods, which are used in turn.
  public var pairings: [VirtualPairing]
  /// The size of the key of an encrypted link, 7 to 16 bytes.
  public var keySize: UInt8 = 16
  public var keyKind: LongTermKey.Kind = .unauthenticatedP256
  /// GATT services without characteristics, in addition to those that the headphone uses.
  public var furtherServices: [BluetoothUUID] = []
  /// Services on serial channels, in addition to those that the headphone uses.
  public var furtherSerialServices: [BluetoothUUID] = []
  /// The advertised service data of Fast Pair, or nil if there is none.
  public var fastPairData: [UInt8]?
  /// Whether the headphone advertises that everyone may discover it.
  public var isDiscoverable = true
  /// The property of the event characteristic: notify or indicate.
  public var pushes: CharacteristicProperties
  public var server: GATTServer.Options
  /// The signal strength at the phone, in dBm.
  public var rssi: Int8

  /// Creates a headphone with all features.
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

  var report: CapabilityReport {
    CapabilityReport(
      features: features, ancModes: ancModes, eqPresets: eqPresets,
      bands: features.contains(.customEQ) ? UInt8(clamping: bands) : 0, window: window)
  }
}

extension VirtualModel: CustomStringConvertible {
  public var description: String { name }
}
