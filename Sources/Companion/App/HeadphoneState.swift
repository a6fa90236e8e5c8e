public import Bluetooth
public import BluetoothCodec
public import HeadphoneProtocols

/// The state of one headphone.
///
/// Values outlast the link: `link` tells whether they are live, and a ``Reading`` how old they are.
public struct HeadphoneState: Hashable, Sendable, Identifiable {
  public private(set) var id: HeadphoneID
  /// The advertised name, not sanitised, or empty if none was received.
  public var name: String
  public var address: PeerAddress
  /// The BR/EDR address in upper case, if the headphone or its bond contains it.
  public var publicAddress: String?
  /// The pinned sound device, or nil if it is matched automatically.
  public var soundPin: SoundDevice.ID?
  /// The address in its bond, or nil if unknown.
  public var bondAddress: PeerAddress?
  /// The serial number of an earlier connection; ``information`` contains the current one.
  public var serial: SerialNumber?
  /// The signal strengths of advertisements since the finder was opened.
  public var approach = SignalTrend()
  /// The last sightings of its buds, including those of earlier runs.
  public internal(set) var sightings = BudSightings()
  var received: ClosedRange<Timestamp>?
  /// The signal strength in dBm, or nil if unavailable.
  public var rssi: Int8?
  /// Whether it has advertised in this run.
  public var isNearby = false
  public var link = LinkState.unwanted(.idle)
  var failures = LinkFailures()
  /// The commands that alone keep up the link.
  var hold = LinkHold()
  /// Whether it only advertises and offers no control link.
  public var isAdvertisingOnly = false
  /// Whether a control link can be requested: there is none, and none in progress.
  public var canConnect: Bool { !isAdvertisingOnly && !link.isBusy && !link.isConnected }
  /// Whether it has sound, but no known controls.
  public var isAudioOnly = false
  /// Whether it is a bud of a coordinated set (CSIS).
  ///
  /// The other bud may have its own row until the first link.
  public var isSetMember = false
  /// Whether the user wants the sound here, and its link is being connected.
  public var isSoundWanted = false
  /// Whether the sound server was told to switch its profile on if necessary.
  public var isSoundProfileTried = false
  var care = SoundCare()
  /// The time when it was last used on this computer, or nil if never.
  public var lastUsed: Timestamp?

  /// The capabilities, or nil until it was ready once.
  public var capabilities: Capabilities?
  public var information = DeviceInformation()
  /// The features that the driver cannot read, with the reasons.
  public var missing: [String] = []
  /// Whether bluetoothd, which holds the link, keeps the headphone's own volume to itself.
  public var isVolumeWithheld = false
  /// The key of its coordinated set, or nil if unknown.
  public var setKey: SetKey?
  /// The number of members of its set, or 1 without a set.
  public var setSize = 1
  /// The members connected since it was ready, its own link first.
  public internal(set) var members: [SetMember] = []
  /// The last addresses of the set's other members, including those of earlier runs.
  public internal(set) var memberAddresses: [PeerAddress] = []
  /// The driver's name, such as "Earshot protocol", or nil if unknown.
  public var driver: String?
  /// Whether a file of the user describes the driver.
  public var isDriverFromFile = false
  /// The settings for which this headphone reported a value, and no recording of others exists.
  public package(set) var confirmedSettings: Set<SettingID> = []
  /// The ATT MTU in bytes, while connected.
  public var mtu: Int?
  public var quality = LinkQuality()
  public var trend = SignalTrend()
  /// Whether the link is encrypted, or nil if it is not reported.
  public var isEncrypted: Bool?
  /// Whether Earshot stores keys for it, or nil if unknown, such as with bluetoothd's keys.
  public var isBonded: Bool?
  public var pairing = PairingState.none

  /// The last reported charges, or nil if there are none yet.
  public var battery: Reading<[Part: Battery]>?
  /// Whether it may tell its charge only when it is asked.
  public internal(set) var isChargeAsked = false
  /// Whether its charge is asked for whenever it is old.
  var isAskingCharge = false
  /// Whether the last question for its charge was not answered, so that ``battery`` is old.
  public internal(set) var isChargeOld = false
  /// The charges of the last days, or nil if they were not read from the disk yet.
  public var charges: BatteryHistory?
  /// One charge in % for all its parts, as reported by bluetoothd, or nil if none.
  public internal(set) var overallCharge: UInt8?
  var reportedCharges: [Part: LowCharge] = [:]
  /// Whether each bud is worn, or nil if not reported yet.
  public var wearing: Wearing?
  /// Whether the case is open, or nil if not reported.
  public var isCaseOpen: Bool?
  /// The mode that `t` returns to from transparency, or nil if none.
  public var ancBeforeTransparency: ANCMode?
  /// The confirmed gains in force, or nil if unknown, such as those of the headphone's own presets.
  public var gainsInForce: [BandGain]? {
    eq.confirmed == .custom || capabilities?.eqPresets.isEmpty == true ? bands.confirmed : nil
  }
  /// The GATT attributes, or nil if not inspected.
  public var inspection: Inspection?
  /// The result of the last import, or nil if there was none.
  public var eqImport: EQImport?
  /// The equaliser's page as it was left, whose history undo continues.
  var equaliserEditor: EQEditor?
  public internal(set) var correction = CorrectionState()
  public var settings = HeadphoneSettings()
  /// The command for a paired device in flight; its confirmed value is the last one.
  public var deviceCommand = Setting<PairedDeviceCommand>()
  /// What it or each bud does with broadcasts, or empty if it does not support them.
  public internal(set) var receptions: [BroadcastReception] = []
  /// The current request about broadcasts, or nil if there is none.
  public internal(set) var broadcastRequest: BroadcastPending?
  /// Whether the headphone was last told that broadcasts are being searched for.
  var isSearchAnnounced = false
  public var find = Setting<Sides>()
  public var firmware = FirmwareState()
  /// The progress of a running update in %, or nil if there is none.
  public var firmwareProgress: UInt8?
  /// The time of the last event, or nil if there was none.
  public var lastPacket: Timestamp?
  /// The number of malformed events.
  public var malformed = 0
  /// The number of unknown kinds of well-formed messages.
  public var unknownMessages = 0
  public internal(set) var exposure = HeadphoneExposure()

  public init(
    id: HeadphoneID, name: String, address: PeerAddress, publicAddress: String? = nil,
    rssi: Int8? = nil
  ) {
    self.id = id
    self.name = name
    self.address = address
    self.publicAddress = publicAddress
    self.rssi = rssi
  }
}

extension HeadphoneState {
  /// The upper-case BR/EDR address by which its sound is connected: the pinned device's, else its
  /// own; nil if unknown, or if the pinned device has no Bluetooth address.
  public var soundAddress: String? {
    guard let soundPin else { return publicAddress }
    return BluetoothAddress(soundPin.text)?.description
  }

  func known(as id: HeadphoneID) -> HeadphoneState {
    var headphone = self
    headphone.id = id
    return headphone
  }
}
