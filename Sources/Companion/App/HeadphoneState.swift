package import BluetoothCodec
package import BluetoothRadio
package import HeadphoneProtocols

/// The state of one headphone; its values outlast the link, and a ``Reading`` tells their age.
package struct HeadphoneState: Hashable, Sendable, Identifiable {
  package private(set) var id: HeadphoneID
  /// The advertised name, not sanitised; empty if none was received.
  package var name: String
  package var address: PeerAddress
  /// The upper-case BR/EDR address that the headphone reports or its bond contains.
  package var publicAddress: String?
  /// The pinned sound device; nil if it is matched automatically.
  package var soundPin: SoundDevice.ID?
  package var bondAddress: PeerAddress?
  /// The serial number from an earlier connection; ``information`` has the current one.
  package var serial: SerialNumber?
  package var approach = SignalTrend()
  /// The last sightings of the buds, including those of earlier runs.
  package internal(set) var sightings = BudSightings()
  var received: ClosedRange<Timestamp>?
  package var rssi: Int8?
  package var isNearby = false
  package var link = LinkState.unwanted(.idle)
  var failures = LinkFailures()
  var hold = LinkHold()
  /// Whether the headphone only advertises and offers no control link.
  package var isAdvertisingOnly = false
  /// Whether there is neither a control link nor an attempt, so that one can be started.
  package var canConnect: Bool { !isAdvertisingOnly && !link.isBusy && !link.isConnected }
  /// Whether the headphone has sound, but no known controls.
  package var isAudioOnly = false
  /// Whether the device is a bud of a coordinated set (CSIS), whose other bud may have its own row.
  package var isSetMember = false
  /// Whether the user wants the sound here, and its link is being connected.
  package var isSoundWanted = false
  package var soundAttempt = SoundAttempt.link
  var care = SoundCare()
  package var lastUsed: Timestamp?

  package var capabilities: Capabilities?
  package var information = DeviceInformation()
  /// The features that the driver cannot read, with the reasons.
  package var missing: [String] = []
  /// Whether bluetoothd holds the link and keeps the headphone's own volume to itself.
  package var isVolumeWithheld = false
  package var setKey: SetKey?
  /// The number of members of the headphone's set; 1 without a set.
  package var setSize = 1
  /// The members connected since the headphone was ready, its own link first.
  package internal(set) var members: [SetMember] = []
  /// The last addresses of the set's other members, including those of earlier runs.
  package internal(set) var memberAddresses: [PeerAddress] = []
  package var driver: String?
  package var isDriverFromFile = false
  /// The settings whose set values the headphone reported, without a recording that confirms them.
  package var confirmedSettings: Set<SettingID> = []
  package var mtu: Int?
  package var quality = LinkQuality()
  package var trend = SignalTrend()
  package var isEncrypted: Bool?
  /// Whether Earshot stores keys for the headphone; nil if unknown, such as with bluetoothd's keys.
  package var isBonded: Bool?
  package var pairing = PairingState.none

  package var battery: Reading<[Part: Battery]>?
  /// Whether the headphone may report its charge only on request.
  package internal(set) var isChargeAsked = false
  var isAskingCharge = false
  /// Whether the last request for the charge was not answered, so that ``battery`` is old.
  package internal(set) var isChargeOld = false
  /// The charges of the last days; nil until they are read from the disk.
  package var charges: BatteryHistory?
  /// One charge in % for all parts, as reported by bluetoothd.
  package internal(set) var overallCharge: UInt8?
  var reportedCharges: [Part: LowCharge] = [:]
  package var wearing: Wearing?
  package var isCaseOpen: Bool?
  /// The mode that `t` returns to from transparency.
  package var ancBeforeTransparency: ANCMode?
  /// The confirmed gains; nil if unknown, such as those of the headphone's own presets.
  package var gainsInForce: [BandGain]? {
    eq.confirmed == .custom || capabilities?.eqPresets.isEmpty == true ? bands.confirmed : nil
  }
  package var inspection: Inspection?
  package var eqImport: EQImport?
  /// The equaliser page as it was left, whose history undo continues.
  var equaliserEditor: EQEditor?
  package internal(set) var correction = CorrectionState()
  package var settings = HeadphoneSettings()
  /// The command for a paired device in flight; its confirmed value is the last one.
  package var deviceCommand = Setting<PairedDeviceCommand>()
  /// What the headphone or each bud does with broadcasts; empty without support for them.
  package internal(set) var receptions: [BroadcastReception] = []
  package internal(set) var broadcastRequest: BroadcastPending?
  /// Whether the headphone was last told that broadcasts are being searched for.
  var isSearchAnnounced = false
  package var find = Setting<Sides>()
  package var firmware = FirmwareState()
  package var firmwareProgress: UInt8?
  package var lastPacket: Timestamp?
  package var malformed = 0
  /// The number of unknown kinds of well-formed messages.
  package var unknownMessages = 0
  package internal(set) var exposure = HeadphoneExposure()

  package init(
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
  /// The upper-case BR/EDR address of the pinned sound device, else its own; nil if unknown.
  package var soundAddress: String? {
    guard let soundPin else { return publicAddress }
    return BluetoothAddress(soundPin.text)?.description
  }

  func known(as id: HeadphoneID) -> HeadphoneState {
    var headphone = self
    headphone.id = id
    return headphone
  }
}
