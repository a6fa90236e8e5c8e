public import Bluetooth
public import BluetoothCodec
public import HeadphoneProtocols

/// The state of one headphone.
///
/// Values outlive the link: `link` says whether they are live, and a ``Reading`` how old they are.
public struct HeadphoneState: Hashable, Sendable, Identifiable {
  /// The identity, the same from one run to the next unless it is merged with a known headphone.
  public private(set) var id: HeadphoneID
  /// The advertised name, unsanitised; empty: none received.
  public var name: String
  /// The last address that it advertised with.
  public var address: PeerAddress
  /// The BR/EDR address, upper case, where the headphone or its bond names it.
  public var publicAddress: String?
  /// The sound device that the user pinned; nil: matched automatically.
  public var soundPin: SoundDevice.ID?
  /// The address that its bond names; nil: none is known.
  public var bondAddress: PeerAddress?
  /// The serial number of an earlier connection; ``information`` has that of this one.
  public var serial: SerialNumber?
  /// The signal strengths of its last advertisements, since the finder is open.
  public var approach = SignalTrend()
  /// When its buds were last heard, also in earlier runs.
  public internal(set) var sightings = BudSightings()
  /// The times of its first and last advertisement in this run.
  var received: ClosedRange<Timestamp>?
  /// dBm; nil: not available.
  public var rssi: Int8?
  /// Whether it has advertised in this run.
  public var isNearby = false
  /// The state of the control link.
  public var link = LinkState.unwanted(.idle)
  /// Whether it only advertises and offers no control link.
  public var isAdvertisingOnly = false
  /// Whether a control link can be asked for: it has none, and none is under way.
  public var canConnect: Bool { !isAdvertisingOnly && !link.isBusy && !link.isConnected }
  /// Whether it offers sound, and no controls that are understood.
  public var isAudioOnly = false
  /// Whether it is a bud of a coordinated set (CSIS), whose other bud may have a row of its own until
  /// the first link.
  public var isSetMember = false
  /// Whether the user wants the sound here, and its link is being made.
  public var isSoundWanted = false
  /// Whether the sound server was told to switch its profile on, should that be off.
  public var isSoundProfileTried = false
  /// What this computer does about its sound.
  var care = SoundCare()
  /// When it was last used; nil: never on this machine.
  public var lastUsed: Timestamp?

  /// Nil until it was ready once.
  public var capabilities: Capabilities?
  /// The device information of this connection, unsanitised; empty before it was ready.
  public var information = DeviceInformation()
  /// The features that the driver cannot read, and why.
  public var missing: [String] = []
  /// Whether it has a volume of its own that bluetoothd, which holds the link, keeps for itself.
  public var isVolumeWithheld = false
  /// The key of its coordinated set; nil: it is no member of one, or was never connected.
  public var setKey: SetKey?
  /// The number of members of its set; 1: there is no set.
  public var setSize = 1
  /// The members connected since it was ready, its own link first.
  public internal(set) var members: [SetMember] = []
  /// The last addresses of further members of its set, also from earlier runs.
  public internal(set) var memberAddresses: [PeerAddress] = []
  /// The driver's name, for example "Earshot protocol".
  public var driver: String?
  /// ATT MTU in bytes, while connected.
  public var mtu: Int?
  /// The link's last measurement; empty while there is no link.
  public var quality = LinkQuality()
  /// The signal strengths of the last measurements.
  public var trend = SignalTrend()
  /// Nil where the link does not report it.
  public var isEncrypted: Bool?
  /// Whether Earshot stores keys of it; nil: unknown, as with keys that bluetoothd keeps.
  public var isBonded: Bool?
  /// The pairing that the user asked for last.
  public var pairing = PairingState.none

  /// The last reported charges, and when; nil: none yet.
  public var battery: Reading<[Part: Battery]>?
  /// The charges of the last days, also from earlier runs; nil: not read from the disk yet.
  public var charges: BatteryHistory?
  /// %, one figure for all its parts, as bluetoothd reports it; nil: it reports none.
  public internal(set) var overallCharge: UInt8?
  /// The low charges that the user was alerted to, until they rise again.
  var reportedCharges: [Part: LowCharge] = [:]
  /// Nil: not reported yet.
  public var wearing: Wearing?
  /// Nil: not reported yet, or it has no case that reports.
  public var isCaseOpen: Bool?
  /// The mode that `t` returns to from transparency.
  public var ancBeforeTransparency: ANCMode?
  /// The confirmed gains in force; nil: unknown, as those of a preset of the headphone's own are.
  public var gainsInForce: [BandGain]? {
    eq.confirmed == .custom || capabilities?.eqPresets.isEmpty == true ? bands.confirmed : nil
  }
  /// Nil: not inspected.
  public var inspection: Inspection?
  /// The result of the last import.
  public var eqImport: EQImport?
  /// The measured correction.
  public internal(set) var correction = CorrectionState()
  /// The settings that are kept on the headphone, by identifier.
  public var settings = HeadphoneSettings()
  /// The command for a paired device that is on the air; its confirmed value is the last one.
  public var deviceCommand = Setting<PairedDeviceCommand>()
  /// What it, or each of its buds, does with broadcasts; empty: it cannot be sent to one.
  public internal(set) var receptions: [BroadcastReception] = []
  /// What is asked of it about broadcasts now.
  public internal(set) var broadcastRequest: BroadcastPending?
  /// Whether the last that was announced to it is that broadcasts are searched for.
  var isSearchAnnounced = false
  /// The buds that are ringing.
  public var find = Setting<Sides>()
  /// The firmware update and what is known of the firmware.
  public var firmware = FirmwareState()
  /// %, while an update runs.
  public var firmwareProgress: UInt8?
  /// When the last event came.
  public var lastPacket: Timestamp?
  /// The number of malformed events.
  public var malformed = 0

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
  /// The same headphone with another identity.
  func known(as id: HeadphoneID) -> HeadphoneState {
    var headphone = self
    headphone.id = id
    return headphone
  }
}
