public import Headphones

/// All that is known of one headphone.
///
/// Values stay when the link goes; `link` tells whether they are live, and a ``Reading`` how old.
public struct HeadphoneState: Hashable, Sendable, Identifiable {
  /// The same from one run to the next, unless it turns out to be another one that is known.
  public private(set) var id: HeadphoneID
  /// As it was heard, unsanitised; empty: never heard.
  public var name: String
  /// The address it was last heard under.
  public var address: AirAddress
  /// The BR/EDR address, upper case, where the headphone or its bond tells.
  public var publicAddress: String?
  /// The sound device that a person says is this headphone; nil: it is found by rules.
  public var soundPin: SoundDevice.ID?
  /// The address that its bond names; nil: none is known.
  public var bondAddress: AirAddress?
  /// As it was told in an earlier connection; ``information`` has what this one told.
  public var serial: SerialNumber?
  /// When it was heard on the air in this run, the first and the last time.
  var received: ClosedRange<Timestamp>?
  /// dBm; nil: not available.
  public var rssi: Int8?
  /// It was heard on the air in this run.
  public var isNearby = false
  /// Where the control link is.
  public var link: LinkState = .idle
  /// It tells what it tells by advertising, and offers no control link.
  public var isAdvertisingOnly = false
  /// It offers sound, and no controls that are understood.
  public var isAudioOnly = false
  /// A person wants the sound here, and its link is being made.
  public var isSoundWanted = false
  /// A person, or the rule for starting, wants the link up: it is kept up.
  public var isWanted = false
  /// Only a command wants the link: it is not connected again when it fails.
  var isTriedOnce = false
  /// Attempts that failed since the link was last steady (ready for 30 s).
  public var failedAttempts = 0
  /// What the link was doing before it paired.
  var linkBeforePairing: LinkState?
  /// It was told to start new firmware and has not been ready since.
  var isRestarting = false
  /// When a person last used it; nil: never here.
  public var lastUsed: Timestamp?

  /// Nil until it was ready once.
  public var capabilities: Capabilities?
  /// As this connection told it, unsanitised; empty before it was ready.
  public var information = DeviceInformation()
  /// What it has no known way to tell, and why.
  public var missing: [String] = []
  /// Of the coordinated set of which it is a member; nil: it is whole, or was never connected.
  public var setKey: SetKey?
  /// How many members its set has; 1: it is whole.
  public var setSize = 1
  /// Those that had a link since it was ready, its own the first.
  public internal(set) var members: [SetMember] = []
  /// Where further members of its set were called the last time, in an earlier run, too.
  public internal(set) var memberAddresses: [AirAddress] = []
  /// The driver's name, for example "Earshot protocol".
  public var driver: String?
  /// ATT MTU in bytes, while connected.
  public var mtu: Int?
  /// Nil where the kernel does not tell.
  public var timing: LinkTiming?
  /// Nil where the adapter does not tell.
  public var phys: LinkPHYs?
  /// How strong the link was in the last measurements.
  public var trend = SignalTrend()
  /// Nil where the link does not tell.
  public var isEncrypted: Bool?
  /// Whether this program keeps keys of it; nil: bluetoothd would know, or nobody.
  public var isBonded: Bool?
  /// A person wants it paired as soon as its link is ready.
  public var wantsPairing = false
  /// It is being paired because a person wants it; what becomes of that is still to be told.
  public var isPairing = false
  /// Why the last pairing that a person wanted failed; nil: none has.
  public var pairingFailure: FailureReason?
  /// Of the pairing that a person wanted last; nil: there is nothing to do, or nobody wanted it.
  public var audioPairing: AudioPairing?

  /// What was told last and when; nil: nothing yet.
  public var battery: Reading<[Part: Battery]>?
  /// What was told of charges that are low, until they are not.
  var reportedCharges: [Part: LowCharge] = [:]
  /// Nil: not told yet.
  public var wearing: Wearing?
  /// Nil: not told yet, or it has no case that tells.
  public var isCaseOpen: Bool?
  /// What the headphone confirmed, and what it is asked for.
  public var anc = Setting<ANCMode>()
  /// What `t` returns to from transparency.
  public var ancBeforeTransparency: ANCMode?
  /// Within the ``/Headphones/Capabilities/ancLevels`` of ``capabilities``.
  public var ancLevel = Setting<UInt8>()
  /// What the headphone confirmed, and what it is asked for.
  public var eq = Setting<EQPreset>()
  /// Gains of the custom equaliser, from the lowest band.
  public var bands = Setting<[BandGain]>()
  /// Nil: nobody has looked.
  public var inspection: Inspection?
  /// What the last import made of a file.
  public var eqImport: EQImport?
  /// The headphone's own, beside that of the sound server.
  public var volume = Setting<HeadphoneVolume>()
  /// The settings that the headphone's protocol declares, by identifier.
  public var settings = DeclaredSettings()
  /// The buds that make themselves heard.
  public var find = Setting<Sides>()
  /// What each gesture does; empty: not read yet.
  public var touchActions: [Side: [TouchGesture: TouchAction]] = [:]
  /// Its firmware, as far as this program has to do with it.
  public var firmware = FirmwareState()
  /// %, while an update runs.
  public var firmwareProgress: UInt8?
  /// When the last event came.
  public var lastPacket: Timestamp?
  /// Events that made no sense.
  public var malformed = 0

  public init(
    id: HeadphoneID, name: String, address: AirAddress, publicAddress: String? = nil,
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
  /// The same headphone under the identity that it is known by.
  func known(as id: HeadphoneID) -> HeadphoneState {
    var headphone = self
    headphone.id = id
    return headphone
  }

  /// Whether a person means this one by `selector`: a beginning of its identity, address or name.
  public func matches(_ selector: String) -> Bool {
    let wanted = selector.lowercased()
    guard !wanted.isEmpty else { return false }
    let names =
      [id.rawValue, address.text, publicAddress ?? "", name] + memberAddresses.map(\.text)
    return names.contains { $0.lowercased().hasPrefix(wanted) }
  }
}

/// An address as text, and its kind.
public struct AirAddress: Hashable, Sendable {
  /// How the address is to be understood; the text is that of JSON and files.
  public enum Kind: String, Hashable, Sendable {
    case `public`, random
    /// Of BR/EDR: controls are on the audio side's link.
    case classic = "BR/EDR"
  }

  /// Upper case, "F0:F1:F2:F3:F4:F5".
  public var text: String
  /// How ``text`` is to be understood.
  public var kind: Kind

  public init(_ text: String, _ kind: Kind) {
    self.text = text
    self.kind = kind
  }

  /// Whether the address is the same tomorrow: public or static (Core 5.4, Vol 6, Part B, 1.3).
  public var isLasting: Bool {
    guard kind == .random else { return true }
    return text.first.flatMap(\.hexDigitValue).map { $0 >= 0xC } ?? false
  }
}
