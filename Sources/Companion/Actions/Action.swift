public import AudioRoute
public import Headphones

/// Something that happened; never what to do about it.
public enum Action: Hashable, Sendable {
  /// The program began, with what it remembers of earlier runs.
  ///
  /// `scans`: whether it scans by itself as soon as the adapter is on.
  case launched([KnownHeadphone], autoConnect: AutoConnect, scans: Bool = true)
  /// A person pressed a key, or a command was typed that does the same.
  case pressed(UserCommand)
  /// A person pointed at a row or a panel; the focus and the cursor go there.
  case pointed(Place)
  /// A bar was clicked at this percentage of its length.
  case barSet(Bar, percent: Int)
  /// A preset of the equaliser was clicked.
  case presetChosen(EQPreset)
  /// A slider of the equaliser's page was clicked where this gain stands.
  case sliderSet(band: Int, BandGain)
  /// A key went into the open text entry.
  case typed(TextKey)
  /// A timer has run down; one that was cancelled or begun anew never fires for that.
  case timerFired(TimerID)

  /// What is known of the adapter from now on.
  case adapterChanged(AdapterState)
  case scan(ScanEvent)
  /// A headphone was heard on the air, for the first time or again.
  case discovered(DiscoveredHeadphone)
  /// What was heard as the first is a member of the second's set.
  case joined(HeadphoneID, HeadphoneID)

  /// How the attempt or the link of a headphone goes on.
  case link(HeadphoneID, LinkEvent)
  /// Something that a headphone told.
  case headphone(HeadphoneID, HeadphoneEvent)
  case pairing(PairingEvent)
  /// How a command ended; the token is that of the effect.
  case commandEnded(HeadphoneID, HeadphoneCommand, CommandToken, CommandOutcome)
  /// How an update goes on.
  case firmware(HeadphoneID, FirmwareEvent)
  case equaliser(EqualiserEvent)
  /// What looking at a headphone's attributes has found.
  case inspection(HeadphoneID, InspectionEvent)
  /// The link was measured.
  case measured(HeadphoneID, LinkMeasurement)

  /// What the sound server tells.
  case audio(AudioObservation)
  /// The kernel's links that can carry sound; nil: it does not tell.
  case audioLinks(AudioLinks?)
  /// A person wishes so, on the command line or in the configuration.
  case autoPauseSet(AutoPause)
  /// The names of the media players that were paused.
  case playersPaused([String])
  /// A command to the sound server had no effect.
  case audioCommandFailed(AudioCommand, AudioError)
  /// How bringing a headphone's sound up, or ending it, goes on.
  case soundLink(HeadphoneID, SoundLinkEvent)
  /// Why the adapter could not be switched, and what to do.
  case powerFailed(String, advice: String)
  /// A person has said elsewhere which sound device a headphone is; nil: by rules again.
  case soundPinned(HeadphoneID, SoundDevice.ID?)

  /// What the doctor found.
  case examined([Finding])
  /// The configuration has them.
  case thresholdsChanged(BatteryThresholds)
  /// What is wrong in the configuration from now on, a line each; empty: nothing any more.
  case configurationRead(mistakes: [String])

  /// A PDU has passed on a headphone's link.
  case traffic(HeadphoneID, LogLine.Level, String, PacketDetail)

  /// A command needs the link for as long as it runs.
  ///
  /// `retries`: whether a link that fails is connected again, as one that a person has asked for.
  case linkWanted(HeadphoneID, retries: Bool)
  /// The command that needed the link has ended, and nobody else has asked for the link.
  case linkReleased(HeadphoneID)
  /// A command has chosen the headphone that everything is about from now on.
  case selected(HeadphoneID)

  /// One of several screens is gone; the action comes from its viewpoint.
  case screenLeft

  /// A part of the program has something to tell.
  case noted(LogLine.Level, HeadphoneID?, String)
}

/// A key while text is typed.
public enum TextKey: Hashable, Sendable {
  /// One character, perhaps of several code points.
  case character(Character)
  case backspace
  /// The whole line goes.
  case clear
}

/// Which headphone is connected without being asked for.
public enum AutoConnect: Hashable, Sendable {
  /// The one used last; where none was used yet, a newcomer.
  case lastUsed(else: UnknownDevice)
  /// The first whose identity, address or name begins with this.
  case matching(String)
  case never

  /// Which of those that are heard for the first time.
  public enum UnknownDevice: Hashable, Sendable {
    /// The only one; of several the person chooses.
    case only
    /// The one with the strongest signal.
    case nearest
  }
}

/// How a scan goes on.
public enum ScanEvent: Hashable, Sendable {
  case started
  /// Its time is over, or it was stopped.
  case ended
  /// The kernel wants a capability of who scans.
  case denied(capability: String)
  /// Why, in words.
  case failed(String)
}

/// A headphone was heard on the air.
public struct DiscoveredHeadphone: Hashable, Sendable {
  /// By which it is known from one run to the next.
  public var id: HeadphoneID
  /// Unsanitised; nil: not advertised this time.
  public var name: String?
  /// The one that it was heard under just now.
  public var address: AirAddress
  /// From the manufacturer data.
  public var publicAddress: String?
  /// The address that its bond names, where it is bonded.
  public var bondAddress: AirAddress?
  /// dBm; nil: not available.
  public var rssi: Int8?
  /// From the manufacturer data.
  public var battery: [Part: Battery]?
  /// What it tells by advertising alone; nil: it is to be connected.
  public var reported: AdvertisedState?
  /// It offers sound, and no controls that are understood.
  public var isAudioOnly = false
  /// What its address was taken for before it told whose it is; nil: nothing.
  public var earlierID: HeadphoneID?

  public init(
    id: HeadphoneID, name: String?, address: AirAddress, publicAddress: String? = nil,
    bondAddress: AirAddress? = nil, rssi: Int8? = nil, battery: [Part: Battery]? = nil
  ) {
    self.id = id
    self.name = name
    self.address = address
    self.publicAddress = publicAddress
    self.bondAddress = bondAddress
    self.rssi = rssi
    self.battery = battery
  }
}

/// What a headphone tells that only advertises, and offers no control link.
public struct AdvertisedState: Hashable, Sendable {
  /// Nil for a bud that tells nothing now.
  public var wearing: Wearing
  /// Nil: not told now.
  public var isCaseOpen: Bool?

  public init(wearing: Wearing, isCaseOpen: Bool?) {
    self.wearing = wearing
    self.isCaseOpen = isCaseOpen
  }
}

/// A headphone of an earlier run.
public struct KnownHeadphone: Hashable, Sendable {
  /// By which it is known from one run to the next.
  public var id: HeadphoneID
  /// As it was heard last, unsanitised.
  public var name: String
  /// The one under which it was heard last.
  public var address: AirAddress
  /// The BR/EDR address, upper case; nil: not known.
  public var publicAddress: String?
  /// The address that its bond names; nil: none is known.
  public var bondAddress: AirAddress?
  /// Nil: the headphone told none that is one.
  public var serial: SerialNumber?
  /// When a person last used it; nil: never.
  public var lastUsed: Timestamp?
  /// The sound device that a person says is this headphone.
  public var soundPin: SoundDevice.ID?
  /// Of the coordinated set of which it is a member; nil: none is known.
  public var setKey: SetKey?
  /// Where further members of that set were called the last time.
  public var memberAddresses: [AirAddress]

  public init(
    id: HeadphoneID, name: String, address: AirAddress, publicAddress: String? = nil,
    bondAddress: AirAddress? = nil, serial: SerialNumber? = nil, lastUsed: Timestamp? = nil,
    soundPin: SoundDevice.ID? = nil, setKey: SetKey? = nil, memberAddresses: [AirAddress] = []
  ) {
    self.id = id
    self.name = name
    self.address = address
    self.publicAddress = publicAddress
    self.bondAddress = bondAddress
    self.serial = serial
    self.lastUsed = lastUsed
    self.soundPin = soundPin
    self.setKey = setKey
    self.memberAddresses = memberAddresses
  }
}

/// How a headphone's sound is brought up or ended.
public enum SoundLinkEvent: Hashable, Sendable {
  /// bluetoothd has its audio transport; the sound server's device is to come.
  case connected
  case disconnected
  /// Why not, and what to do.
  case failed(String, advice: String)
}

/// How one attempt and the link that came of it go on.
public enum LinkEvent: Hashable, Sendable {
  /// The channel is open; the driver begins.
  case connected
  /// The driver has started; `isEncrypted` is nil where the link does not tell.
  case ready(HeadphoneDescription, isEncrypted: Bool?)
  /// A further member of its set has a link, or has it no longer.
  case member(SetMember)
  /// The link is gone, or the attempt has failed in a way that trying again may mend.
  case ended(DisconnectReason)
  /// Trying again would not help.
  case failed(FailureReason)
  /// The kernel wants a capability for the link.
  case denied(capability: String)
  /// The device lacks what the driver needs.
  case unsupported(missing: String)
  /// The adapter carries as many links as it can.
  case noRoom
  /// The link is used for this from now on; its values stay live.
  case began(LinkActivity)
  /// It is in ordinary service again.
  case finished(LinkActivity)
}

/// How a command ended.
public enum CommandOutcome: Hashable, Sendable {
  /// The headphone confirmed it.
  case done
  /// It had no effect, so far as is known.
  case failed(CommandFailure)
}

/// Why a command had no effect.
public enum CommandFailure: Hashable, Sendable {
  /// What the headphone lacks, in words.
  case unsupported(String)
  /// The headphone answered that it will not.
  case refused(HeadphoneStatus)
  case noResponse
  /// What is wrong with the value, in words.
  case badArgument(String)
  /// The link is still being made ready.
  case notReady
  /// The ATT error in words: opcode, handle, code, name, advice.
  case attribute(String)
  /// The link ended before the answer came.
  case linkLost(DisconnectReason)
  /// The headphone wants an encrypted link for it.
  case notSecured(FailureReason)
  /// The headphone may have carried it out all the same.
  case cancelled
}
