package import BluetoothCodec
package import BluetoothRadio
package import HeadphoneProtocols

/// The state of one headphone.
///
/// Values outlast the link: `link` tells whether they are live, and a ``Reading`` how old they are.
package struct HeadphoneState: Hashable, Sendable, Identifiable {
  package private(set) var id: HeadphoneID
  /// The advertised name, not sanitised, or empty if none was received.
  package var name: String
  package var address: PeerAddress
  /// The BR/EDR address in upper case, if the headphone or its bond contains it.
  package var publicAddress: String?
  /// The pinned sound device, or nil if it is matched automatically.
  package var soundPin: SoundDevice.ID?
  /// The address in its bond, or nil if unknown.
  package var bondAddress: PeerAddress?
  /// The serial number of an earlier connection; ``information`` contains the current one.
  package var serial: SerialNumber?
  /// The signal strengths of advertisements since the finder was opened.
  package var approach = SignalTrend()
  /// The last sightings of its buds, including those of earlier runs.
  package internal(set) var sightings = BudSightings()
  var received: ClosedRange<Timestamp>?
  /// The signal strength in dBm, or nil if unavailable.
  package var rssi: Int8?
  /// Whether it has advertised in this run.
  package var isNearby = false
  package var link = LinkState.unwanted(.idle)
  var failures = LinkFailures()
  /// The commands that alone keep up the link.
  var hold = LinkHold()
  /// Whether it only advertises and offers no control link.
  package var isAdvertisingOnly = false
  /// Whether a control link can be requested: there is none, and none in progress.
  package var canConnect: Bool { !isAdvertisingOnly && !link.isBusy && !link.isConnected }
  /// Whether it has sound, but no known controls.
  package var isAudioOnly = false
  /// Whether it is a bud of a coordinated set (CSIS).
  ///
  /// The other bud may have its own row until the first link.
  package var isSetMember = false
  /// Whether the user wants the sound here, and its link is being connected.
  package var isSoundWanted = false
  /// Whether the sound server was told to switch its profile on if necessary.
  package var isSoundProfileTried = false
  var care = SoundCare()
  /// The time when it was last used on this computer, or nil if never.
  package var lastUsed: Timestamp?

  /// The capabilities, or nil until it was ready once.
  package var capabilities: Capabilities?
  package var information = DeviceInformation()
  /// The features that the driver cannot read, with the reasons.
  package var missing: [String] = []
  /// Whether bluetoothd, which holds the link, keeps the headphone's own volume to itself.
  package var isVolumeWithheld = false
  /// The key of its coordinated set, or nil if unknown.
  package var setKey: SetKey?
  /// The number of members of its set, or 1 without a set.
  package var setSize = 1
  /// The members connected since it was ready, its own link first.
  package internal(set) var members: [SetMember] = []
  /// The last addresses of the set's other members, including those of earlier runs.
  package internal(set) var memberAddresses: [PeerAddress] = []
  /// The driver's name, such as "Earshot protocol", or nil if unknown.
  package var driver: String?
  /// Whether a file of the user describes the driver.
  package var isDriverFromFile = false
  /// The settings for which this headphone reported a value, and no recording of others exists.
  package var confirmedSettings: Set<SettingID> = []
  /// The ATT MTU in bytes, while connected.
  package var mtu: Int?
  package var quality = LinkQuality()
  package var trend = SignalTrend()
  /// Whether the link is encrypted, or nil if it is not reported.
  package var isEncrypted: Bool?
  /// Whether Earshot stores keys for it, or nil if unknown, such as with bluetoothd's keys.
  package var isBonded: Bool?
  package var pairing = PairingState.none

  /// The last reported charges, or nil if there are none yet.
  package var battery: Reading<[Part: Battery]>?
  /// Whether it may tell its charge only when it is asked.
  package internal(set) var isChargeAsked = false
  /// Whether its charge is asked for whenever it is old.
  var isAskingCharge = false
  /// Whether the last question for its charge was not answered, so that ``battery`` is old.
  package internal(set) var isChargeOld = false
  /// The charges of the last days, or nil if they were not read from the disk yet.
  package var charges: BatteryHistory?
  /// One charge in % for all its parts, as reported by bluetoothd, or nil if none.
  package internal(set) var overallCharge: UInt8?
  var reportedCharges: [Part: LowCharge] = [:]
  /// Whether each bud is worn, or nil if not reported yet.
  package var wearing: Wearing?
  /// Whether the case is open, or nil if not reported.
  package var isCaseOpen: Bool?
  /// The mode that `t` returns to from transparency, or nil if none.
  package var ancBeforeTransparency: ANCMode?
  /// The confirmed gains in force, or nil if unknown, such as those of the headphone's own presets.
  package var gainsInForce: [BandGain]? {
    eq.confirmed == .custom || capabilities?.eqPresets.isEmpty == true ? bands.confirmed : nil
  }
  /// The GATT attributes, or nil if not inspected.
  package var inspection: Inspection?
  /// The result of the last import, or nil if there was none.
  package var eqImport: EQImport?
  /// The equaliser's page as it was left, whose history undo continues.
  var equaliserEditor: EQEditor?
  package internal(set) var correction = CorrectionState()
  package var settings = HeadphoneSettings()
  /// The command for a paired device in flight; its confirmed value is the last one.
  package var deviceCommand = Setting<PairedDeviceCommand>()
  /// What it or each bud does with broadcasts, or empty if it does not support them.
  package internal(set) var receptions: [BroadcastReception] = []
  /// The current request about broadcasts, or nil if there is none.
  package internal(set) var broadcastRequest: BroadcastPending?
  /// Whether the headphone was last told that broadcasts are being searched for.
  var isSearchAnnounced = false
  package var find = Setting<Sides>()
  package var firmware = FirmwareState()
  /// The progress of a running update in %, or nil if there is none.
  package var firmwareProgress: UInt8?
  /// The time of the last event, or nil if there was none.
  package var lastPacket: Timestamp?
  /// The number of malformed events.
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
  /// The upper-case BR/EDR address by which its sound is connected: the pinned device's, else its
  /// own; nil if unknown, or if the pinned device has no Bluetooth address.
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
