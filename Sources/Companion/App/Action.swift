public import AudioRoute
public import Bluetooth
public import BluetoothCodec
public import Desktop
public import HeadphoneProtocols

/// An event that the reducer receives: what happened, never what to do about it.
///
/// Three kinds of sources send actions: the terminal and the commands (`pressed`, `typed`,
/// `pointed`), the drivers and connections (`link`, `headphone`, `commandEnded`, `measured`), and
/// the services of the machine (`adapterChanged`, `audio`, `timerFired`). None of them changes
/// anything by itself; ``State/reduce(_:at:)`` decides what an action means in the state it arrives
/// in, and an action that comes too late, such as a value after the link ended, is logged and
/// ignored.
///
/// A test of a feature is a list of actions:
///
/// ```swift
/// var state = State()
/// _ = state.reduce(.adapterChanged(.ready(adapter)), at: now)
/// _ = state.reduce(.discovered(headphone), at: now)
/// let effects = state.reduce(.pressed(.connectOrDisconnect), at: now)
/// #expect(effects.contains(.connect(headphone.id)))
/// ```
public enum Action: Hashable, Sendable {
  /// The start of the program, with the headphones known from earlier runs.
  ///
  /// `scans`: whether it scans by itself as soon as the adapter is on.
  case launched([KnownHeadphone], autoConnect: AutoConnect, scans: Bool = true)
  /// A key press, or the command line's equivalent of one.
  case pressed(UserCommand)
  /// A key press that means nothing on the page that is shown, by the key's name.
  case unknownKey(String)
  /// A click on a row or a panel: the focus and the cursor go there.
  case pointed(Place)
  /// A bar was clicked at this percentage of its length.
  case barSet(Bar, percent: Int)
  /// A preset of the equaliser was clicked.
  case presetChosen(EQPreset)
  /// A slider of the equaliser's page was clicked where this gain stands.
  case sliderSet(band: Int, BandGain)
  /// A key went into the open text entry.
  case typed(TextKey)
  /// The path that was typed is completed; nil: nothing there begins so.
  case pathCompleted(String, PathCompletion?)
  /// A timer fired; one that was cancelled or restarted does not.
  case timerFired(TimerID)

  /// The adapter's new state.
  case adapterChanged(AdapterState)
  case scan(ScanEvent)
  /// An advertisement of a headphone was received, for the first time or again.
  case discovered(DiscoveredHeadphone)
  /// The first identity turns out to be a member of the second's coordinated set.
  case joined(HeadphoneID, HeadphoneID)

  /// A step of a connection attempt or a link.
  case link(HeadphoneID, LinkEvent)
  /// A value or event that a headphone reported.
  case headphone(HeadphoneID, HeadphoneEvent)
  case pairing(PairingEvent)
  /// The result of a command; the token is that of the effect.
  case commandEnded(HeadphoneID, HeadphoneCommand, CommandToken, CommandOutcome)
  /// A step of a firmware update.
  case firmware(HeadphoneID, FirmwareEvent)
  case equaliser(EqualiserEvent)
  /// Something about the correction of a headphone.
  case correction(HeadphoneID, CorrectionEvent)
  /// Whether this process corrects the sound of this computer, and what the configuration wants.
  case correctionsRun(Bool, [CorrectionPreference] = [])
  /// A step of the search for broadcasts.
  case broadcast(BroadcastEvent)
  /// A result of the GATT inspector.
  case inspection(HeadphoneID, InspectionEvent)
  /// The charges of earlier runs were read.
  case charges(HeadphoneID, BatteryHistory)
  /// A measurement of the link.
  case measured(HeadphoneID, LinkQuality)

  /// A snapshot from the sound server.
  case audio(AudioObservation)
  /// The adapter's links that can carry audio; nil: unknown.
  case audioLinks(AudioLinks?)
  /// Auto-pause was set on the command line or in the configuration.
  case autoPauseSet(AutoPause)
  /// Who is to handle the buttons of headphones, in the configuration.
  case buttonsSet(ButtonMode)
  /// What the configuration says of the sound of headphones; `areApplied`: whether this process
  /// applies it.
  case soundRulesSet(SoundRules, areApplied: Bool)
  /// The desktop that handles media keys has changed.
  case keyHandlerChanged(KeyHandler)
  /// What plays on this machine now; nil: nothing.
  case nowPlaying(NowPlaying?)
  /// A media player did not obey; its words.
  case playerRefused(String)
  /// What bluetoothd reports of a device.
  case deviceNews(DeviceNews)
  /// The names of the media players that were paused.
  case playersPaused([String])
  /// A command to the sound server failed.
  case audioCommandFailed(AudioCommand, AudioError)
  /// How bringing a headphone's sound up, or ending it, goes on.
  case soundLink(HeadphoneID, SoundLinkEvent)
  /// The adapter could not be switched: the reason, and what to do.
  case powerFailed(String, advice: String)
  /// The sound device of a headphone was pinned by a command; nil: matched automatically again.
  case soundPinned(HeadphoneID, SoundDevice.ID?)
  /// A command has switched the sound of a headphone to this mode.
  case soundModeChosen(HeadphoneID, SoundMode)

  /// The results of the diagnosis.
  case examined([DiagnosticResult])
  /// The commands of a fix have ended with this exit status.
  case fixEnded(status: Int32)
  /// The battery thresholds of the configuration.
  case thresholdsChanged(BatteryThresholds)
  /// The computer was suspended for this long since the action before.
  case woke(asleep: Duration)
  /// What a desktop notification is shown for, as the configuration has it.
  case notificationsSet(NotificationRules)
  /// The scenes of the configuration.
  case scenesChanged([Scene])
  /// The names of all themes, and the one that the configuration chooses.
  case themesChanged([String], chosen: String)
  /// The configuration file was not changed; why.
  case configurationKept(ConfigurationChange, why: String)
  /// The hooks of the configuration, in the process that owns the link.
  case hooksChanged([Hook: HookCommand])
  /// The mistakes in the configuration file, a line each; empty: none.
  case configurationRead(mistakes: [String])

  /// A PDU was sent or received on a headphone's link.
  case traffic(HeadphoneID, LogLine.Level, String, PacketDetail)

  /// A command needs the link for as long as it runs.
  ///
  /// `retries`: whether a link that fails is connected again, as one that the user asked for.
  case linkWanted(HeadphoneID, retries: Bool)
  /// The command that needed the link has ended, and neither a screen nor another command wants it.
  case linkReleased(HeadphoneID)
  /// A command selected the headphone that it and the screen work on from now on.
  case selected(HeadphoneID)

  /// One of several screens has closed; reduced in that screen's viewpoint.
  case screenLeft

  /// A message of another part of the program for the log.
  case noted(LogLine.Level, HeadphoneID?, String)
}

/// A key press in a text entry.
///
/// The state of the entry is in ``State/dialog``. A terminal's paste arrives as a sequence of
/// characters.
public enum TextKey: Hashable, Sendable {
  /// One character, perhaps of several code points.
  case character(Character)
  /// Deletes the character before the cursor.
  case backspace
  /// Deletes the character under the cursor.
  case delete
  /// Deletes the whole line.
  case clear
  /// Moves the cursor by a character, or to an end of the line.
  case left, right, start, end
}

/// The rule by which a headphone is connected automatically at the start.
public enum AutoConnect: Hashable, Sendable {
  /// The one used last; where none was used yet, an unknown one.
  ///
  /// The choice among unknown devices is made one second after the last of them appeared, so that a
  /// stronger signal has the time to arrive.
  case lastUsed(else: UnknownDevice)
  /// The first whose identity, address or name begins with this.
  case matching(String)
  case never

  /// The choice among headphones that are not known yet.
  public enum UnknownDevice: Hashable, Sendable {
    /// The only one; among several, the user chooses.
    case only
    /// The one with the strongest signal.
    case nearest
  }
}

/// A step of a scan.
///
/// `started` and `ended` enclose each scan; `denied` and `failed` replace `ended`.
public enum ScanEvent: Hashable, Sendable {
  case started
  /// Its time has passed, or it was stopped.
  case ended
  /// The process lacks a capability for scanning, which bluetoothd would do without.
  case denied(capability: String, isBluetoothdGone: Bool = false)
  /// It ended early, or did not begin.
  case failed(RadioError)
}

/// An advertisement of a headphone.
///
/// The radio reports one for each advertisement that is recognised as a headphone's. What an
/// advertisement leaves out is nil; the name and the addresses that are known already then stay.
public struct DiscoveredHeadphone: Hashable, Sendable {
  /// The identity, which stays the same from one run to the next.
  public var id: HeadphoneID
  /// Unsanitised; nil: not advertised this time.
  public var name: String?
  /// Whether the advertisement had room only for the beginning of the name.
  public var isNameShortened = false
  /// The address of this advertisement.
  public var address: PeerAddress
  /// From the manufacturer data.
  public var publicAddress: String?
  /// The address that its bond names, where it is bonded.
  public var bondAddress: PeerAddress?
  /// dBm; nil: not available.
  public var rssi: Int8?
  /// From the manufacturer data.
  public var battery: [Part: Battery]?
  /// The values that it advertises without a connection; nil: it is connectable.
  public var reported: AdvertisedState?
  /// Whether it offers sound, and no controls that are understood.
  public var isAudioOnly = false
  /// Whether it advertises that it is a member of a coordinated set (CSIS).
  public var isSetMember = false
  /// The identity that its address had before its advertisement identified it; nil: none.
  public var earlierID: HeadphoneID?

  public init(
    id: HeadphoneID, name: String?, address: PeerAddress, publicAddress: String? = nil,
    bondAddress: PeerAddress? = nil, rssi: Int8? = nil, battery: [Part: Battery]? = nil
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

/// The values of a headphone that only advertises and offers no control link.
///
/// Apple's proximity advertisements are the example: charges, wearing and lid are broadcast to all
/// devices nearby, and are shown without a connection.
public struct AdvertisedState: Hashable, Sendable {
  /// Nil for a bud that reports nothing now.
  public var wearing: Wearing
  /// Nil: not reported now.
  public var isCaseOpen: Bool?

  public init(wearing: Wearing, isCaseOpen: Bool?) {
    self.wearing = wearing
    self.isCaseOpen = isCaseOpen
  }
}

/// A headphone known from an earlier run.
///
/// What ``/Companion/KnownHeadphone/init(_:)`` takes from a headphone's state is what the file of
/// known headphones holds for the next run. Keys are not part of it: bonds have a file of their
/// own.
public struct KnownHeadphone: Hashable, Sendable {
  /// The identity, which stays the same from one run to the next.
  public var id: HeadphoneID
  /// The last advertised name, unsanitised.
  public var name: String
  /// The last address that it advertised with.
  public var address: PeerAddress
  /// The BR/EDR address, upper case; nil: not known.
  public var publicAddress: String?
  /// The address that its bond names; nil: none is known.
  public var bondAddress: PeerAddress?
  /// Nil: the headphone reported none, or a placeholder.
  public var serial: SerialNumber?
  /// When it was last used; nil: never.
  public var lastUsed: Timestamp?
  /// The sound device that the user pinned.
  public var soundPin: SoundDevice.ID?
  /// What is wanted of its correction.
  public var correction: CorrectionChoice
  /// What is known of its sound.
  public var sound: KnownSound
  /// The key of its coordinated set; nil: none is known.
  public var setKey: SetKey?
  /// The last addresses of further members of that set.
  public var memberAddresses: [PeerAddress]
  /// When its buds were last heard.
  public var sightings: BudSightings

  public init(
    id: HeadphoneID, name: String, address: PeerAddress, publicAddress: String? = nil,
    bondAddress: PeerAddress? = nil, serial: SerialNumber? = nil, lastUsed: Timestamp? = nil,
    soundPin: SoundDevice.ID? = nil, sound: KnownSound = KnownSound(), setKey: SetKey? = nil,
    memberAddresses: [PeerAddress] = [], correction: CorrectionChoice = CorrectionChoice(),
    sightings: BudSightings = BudSightings()
  ) {
    self.id = id
    self.name = name
    self.address = address
    self.publicAddress = publicAddress
    self.bondAddress = bondAddress
    self.serial = serial
    self.lastUsed = lastUsed
    self.soundPin = soundPin
    self.sound = sound
    self.setKey = setKey
    self.memberAddresses = memberAddresses
    self.correction = correction
    self.sightings = sightings
  }
}

/// How a headphone's sound is brought up or ended.
public enum SoundLinkEvent: Hashable, Sendable {
  /// bluetoothd has its audio transport; the sound server's device is to come.
  case connected
  /// A person has ended its sound.
  case disconnected
  /// The reason, and what to do.
  case failed(String, advice: String)
}

/// A step of one connection attempt and of its link.
///
/// Attempts and links follow one grammar, which the reducer relies on:
///
/// ```
/// attempt = [connected [ready *(member / began / finished)]] end
/// end     = ended / failed / denied / unsupported / noRoom
/// ```
///
/// An event of a headphone that is not being connected any more is ignored.
public enum LinkEvent: Hashable, Sendable {
  /// The channel is open; the driver starts.
  case connected
  /// The driver has started; `isEncrypted` is nil where the link does not report it.
  case ready(HeadphoneDescription, isEncrypted: Bool?)
  /// A further member of its set was connected or disconnected.
  case member(SetMember)
  /// The link ended, or the attempt failed in a way that a retry may fix.
  case ended(DisconnectReason)
  /// A failure after which a retry would not help.
  case failed(FailureReason)
  /// The process lacks a capability for the link.
  case denied(capability: String)
  /// The device lacks what the driver needs.
  case unsupported(missing: String)
  /// The adapter is at its connection limit.
  case noRoom
}

/// The result of a command.
///
/// Only `done` makes a pending value the confirmed one. See ``Setting``.
public enum CommandOutcome: Hashable, Sendable {
  /// The headphone confirmed it.
  case done
  /// It had no effect, as far as is known.
  case failed(CommandFailure)
}

/// The reason why a command had no effect.
///
/// Each case is shown with its reason and advice, and decides the exit status of a command: 6 where
/// the headphone refused, 5 where the link or the answer is missing, 1 otherwise.
public enum CommandFailure: Hashable, Sendable {
  /// The feature that the headphone lacks.
  case unsupported(String)
  /// The headphone answered with an error status.
  case refused(HeadphoneStatus)
  /// What its receive states show of a broadcast.
  case broadcast(BroadcastFailure)
  case noResponse
  /// What is wrong with the value, as a sentence fragment.
  case badArgument(String)
  /// bluetoothd holds the link, and keeps the feature's service for itself.
  case withheld
  /// The driver has not started yet.
  case notReady
  /// The ATT error in words: opcode, handle, code, name, advice.
  case attribute(String)
  /// The link ended before the answer came.
  case linkLost(DisconnectReason)
  /// The headphone requires an encrypted link, which could not be had.
  case notSecured(SecurityFailure)
  /// The headphone may have carried it out all the same.
  case cancelled
}
