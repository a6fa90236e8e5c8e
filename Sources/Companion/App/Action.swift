package import AudioRoute
package import BluetoothCodec
package import BluetoothRadio
package import Desktop
package import HeadphoneProtocols

/// An event that the reducer receives: something that happened, rather than a request.
///
/// Actions come from terminals and commands (`pressed`, `typed`, `pointed`), from drivers and
/// connections (`link`, `headphone`, `commandEnded`, `measured`) and from services of the computer
/// (`adapterChanged`, `audio`, `timerFired`). Only ``State/reduce(_:at:)`` changes state. It logs
/// and ignores an action that comes too late, such as a value after the link has ended.
///
/// The test of a feature is a list of actions:
///
/// ```swift
/// var state = State()
/// _ = state.reduce(.adapterChanged(.ready(adapter)), at: now)
/// _ = state.reduce(.discovered(headphone), at: now)
/// let effects = state.reduce(.pressed(.connectOrDisconnect), at: now)
/// #expect(effects.contains(.connect(headphone.id)))
/// ```
package enum Action: Hashable, Sendable {
  /// The program started, with the headphones known from earlier runs.
  ///
  /// `scans` tells whether a scan starts automatically once the adapter is on.
  case launched([KnownHeadphone], autoConnect: AutoConnect, scans: Bool = true)
  /// A key was pressed, or a command of the command line requires the same.
  case pressed(UserCommand)
  /// A key without a meaning on the current page was pressed, with this name.
  case unknownKey(String)
  /// A key may have been lost, because the process that had the link has ended.
  case keysLost
  /// The terminal of the screen got or lost the keyboard.
  case screenFocused(Bool)
  /// A click on a row or a panel: the focus and the cursor go there.
  case pointed(Place)
  /// A bar was clicked at this percentage of its length.
  case barSet(Bar, percent: Int)
  /// A choice of a setting was clicked.
  case choiceMade(SettingID, String)
  /// A slider of the equaliser's page was clicked at this gain.
  case sliderSet(band: Int, BandGain)
  case typed(TextKey)
  /// The typed path was completed, or nothing starts with it if the completion is nil.
  case pathCompleted(String, PathCompletion?)
  /// A timer fired that was not cancelled or restarted.
  case timerFired(TimerID)

  case adapterChanged(AdapterState)
  case scan(ScanEvent)
  /// An advertisement of a headphone was received, for the first time or again.
  case discovered(DiscoveredHeadphone)
  /// The first identity turned out to be a member of the second's coordinated set.
  case joined(HeadphoneID, HeadphoneID)

  case link(HeadphoneID, LinkEvent)
  /// A headphone reported a value or an event.
  case headphone(HeadphoneID, HeadphoneEvent)
  case pairing(PairingEvent)
  /// A command ended; the token is that of the effect.
  case commandEnded(HeadphoneID, HeadphoneCommand, CommandToken, CommandOutcome)
  case firmware(HeadphoneID, FirmwareEvent)
  case equaliser(EqualiserEvent)
  case correction(HeadphoneID, CorrectionEvent)
  /// Whether this process corrects the sound of this computer, and the configured corrections.
  case correctionsRun(Bool, [CorrectionPreference] = [])
  case broadcast(BroadcastEvent)
  case inspection(HeadphoneID, InspectionEvent)
  /// The charges of earlier runs were read.
  case charges(HeadphoneID, BatteryHistory)
  case measured(HeadphoneID, LinkQuality)
  /// The headphone was asked for its charge, and answered or did not.
  case chargeRead(HeadphoneID, isRead: Bool)

  case audio(AudioObservation)
  /// The adapter's links that can carry audio changed; nil if unknown.
  case audioLinks(AudioLinks?)
  case autoPauseSet(AutoPause)
  case buttonsSet(ButtonMode)
  /// The configured sound rules, and whether this process applies them.
  case soundRulesSet(SoundRules, areApplied: Bool)
  case keyHandlerChanged(KeyHandler)
  /// The media that plays on this computer changed, or nothing plays if nil.
  case nowPlaying(NowPlaying?)
  /// A media player refused a command, with this text.
  case playerRefused(String)
  case deviceNews(DeviceNews)
  /// The media players with these names were paused.
  case playersPaused([String])
  case audioCommandFailed(AudioCommand, AudioError)
  case soundLink(HeadphoneID, SoundLinkEvent)
  /// A command sent the sound to an output, even if it was there already.
  case soundRouted
  /// The adapter could not be switched on or off for this reason, with advice.
  case powerFailed(String, advice: String)
  /// A command pinned the sound device of a headphone, or unpinned it if nil.
  case soundPinned(HeadphoneID, SoundDevice.ID?)
  /// A command switched the sound of a headphone to this mode.
  case soundModeChosen(HeadphoneID, SoundMode)

  case examined([DiagnosticResult])
  /// What the security check has read of this computer and, if there is one, of a headphone.
  case securityExamined(ComputerSecurityFacts, HeadphoneID?, HeadphoneSurvey?)
  /// The commands of a fix ended with this exit status.
  case fixEnded(status: Int32)
  case thresholdsChanged(BatteryThresholds)
  /// The computer was suspended for this time since the last action.
  case woke(asleep: Duration)
  case notificationsSet(NotificationRules)
  case scenesChanged([Scene])
  /// The names of all themes, and the configured one.
  case themesChanged([String], chosen: String)
  /// The configuration file could not be changed for this reason.
  case configurationKept(ConfigurationChange, why: String)
  case hooksChanged([Hook: HookCommand])
  /// The mistakes in the configuration file, a line each, or none.
  case configurationRead(mistakes: [String])

  /// A PDU was sent or received on a headphone's link.
  case traffic(HeadphoneID, LogLine.Level, String, PacketDetail)

  /// A command needs the link for as long as it runs, or the program for longer; `retries`: a link that
  /// fails is connected again, as one that the user asked for.
  case linkWanted(HeadphoneID, by: LinkHolder, retries: Bool)
  /// A command has ended: the links that it alone wanted end.
  case linksReleased(by: LinkHolder)
  /// A command selected the headphone that commands work on from now on.
  case selected(HeadphoneID)

  /// A screen, or a command that shows values until it is interrupted, was opened.
  case viewerOpened
  /// One of them was closed.
  case viewerClosed
  /// One of several screens closed, and is the current viewpoint.
  case screenLeft

  /// Another part of the program logged a message.
  case noted(LogLine.Level, HeadphoneID?, String)
}

/// A key press in a text entry; a paste arrives as a sequence of characters.
package enum TextKey: Hashable, Sendable {
  /// A character, perhaps of several code points.
  case character(Character)
  case backspace
  case delete
  /// Deletes the whole line.
  case clear
  case left, right, start, end
}

/// The rule for connecting a headphone automatically at the start.
package enum AutoConnect: Hashable, Sendable {
  /// The one used last, or an unknown one if none was.
  ///
  /// Among unknown devices, the choice is made one second after the last of them appeared, so that
  /// a stronger signal has time to arrive.
  case lastUsed(else: UnknownDevice)
  /// The first whose identity, address or name starts with this.
  case matching(String)
  case never

  /// The choice among unknown headphones.
  package enum UnknownDevice: Hashable, Sendable {
    /// The only one; among several, the user chooses.
    case only
    /// The one with the strongest signal.
    case nearest
  }
}

/// An event of a scan, which `started` begins and one of the others ends.
package enum ScanEvent: Hashable, Sendable {
  case started
  case ended
  /// The process lacks a capability for scanning, which bluetoothd would not need.
  case denied(capability: String, isBluetoothdGone: Bool = false)
  /// The scan failed.
  case failed(RadioError)
}

/// An advertisement of a headphone.
///
/// Values that the advertisement lacks are nil, and the known name and addresses are kept.
package struct DiscoveredHeadphone: Hashable, Sendable {
  package var id: HeadphoneID
  /// The name, not sanitised, or nil if not advertised this time.
  package var name: String?
  /// Whether the advertisement contains only the beginning of the name.
  package var isNameShortened = false
  package var address: PeerAddress
  /// The BR/EDR address from the manufacturer data, or nil if not advertised.
  package var publicAddress: String?
  /// The address in its bond, or nil if it is not bonded.
  package var bondAddress: PeerAddress?
  /// The signal strength in dBm, or nil if unavailable.
  package var rssi: Int8?
  /// The charges from the manufacturer data, or nil if not advertised.
  package var battery: [Part: Battery]?
  /// The values advertised without a connection, or nil if it can be connected.
  package var reported: AdvertisedState?
  /// Whether it has sound, but no known controls.
  package var isAudioOnly = false
  /// Whether it advertises that it is a member of a coordinated set (CSIS).
  package var isSetMember = false
  /// The earlier identity of its address, before the device was identified, or nil if none.
  package var earlierID: HeadphoneID?
  /// What the advertisement shows others, or nil if it was not an advertisement of its own.
  package var traits: AdvertisedTraits?

  package init(
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
/// For example, Apple's proximity advertisements contain charges, wearing and the lid.
package struct AdvertisedState: Hashable, Sendable {
  package var wearing: Wearing
  /// Whether the case is open, or nil if not reported now.
  package var isCaseOpen: Bool?

  package init(wearing: Wearing, isCaseOpen: Bool?) {
    self.wearing = wearing
    self.isCaseOpen = isCaseOpen
  }
}

/// A headphone known from an earlier run: the content of the file of known headphones.
///
/// Keys are stored separately, in a file of bonds.
package struct KnownHeadphone: Hashable, Sendable {
  package var id: HeadphoneID
  /// The last advertised name, not sanitised.
  package var name: String
  package var address: PeerAddress
  /// The BR/EDR address in upper case, or nil if unknown.
  package var publicAddress: String?
  /// The address in its bond, or nil if unknown.
  package var bondAddress: PeerAddress?
  /// The serial number, or nil if it was not reported or a placeholder.
  package var serial: SerialNumber?
  /// The time when it was last used, or nil if never.
  package var lastUsed: Timestamp?
  /// The pinned sound device, or nil if it is matched automatically.
  package var soundPin: SoundDevice.ID?
  package var correction: CorrectionChoice
  package var sound: KnownSound
  /// The key of its coordinated set, or nil if unknown.
  package var setKey: SetKey?
  /// The last addresses of the set's other members.
  package var memberAddresses: [PeerAddress]
  package var sightings: BudSightings
  /// The settings for which it reported a value that was set.
  package var confirmedSettings: Set<SettingID>

  package init(
    id: HeadphoneID, name: String, address: PeerAddress, publicAddress: String? = nil,
    bondAddress: PeerAddress? = nil, serial: SerialNumber? = nil, lastUsed: Timestamp? = nil,
    soundPin: SoundDevice.ID? = nil, sound: KnownSound = KnownSound(), setKey: SetKey? = nil,
    memberAddresses: [PeerAddress] = [], correction: CorrectionChoice = CorrectionChoice(),
    sightings: BudSightings = BudSightings(), confirmedSettings: Set<SettingID> = []
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
    self.confirmedSettings = confirmedSettings
  }
}

/// An event in setting up or tearing down a headphone's audio link.
package enum SoundLinkEvent: Hashable, Sendable {
  /// bluetoothd has its audio transport; the sound server's device will follow.
  case connected
  /// The user ended its sound.
  case disconnected
  /// It failed for this reason, with advice.
  case failed(String, advice: String)
}

/// An event of a connection attempt or its link.
///
/// Attempts and links follow this grammar, on which the reducer relies:
///
/// ```
/// attempt = [connected [ready *(member / began / finished)]] end
/// end     = ended / failed / denied / unsupported / noRoom
/// ```
///
/// Events of a headphone that is no longer being connected are ignored.
package enum LinkEvent: Hashable, Sendable {
  /// The channel is open, and the driver starts.
  case connected
  /// The driver has started; `isEncrypted` is nil if the link does not report it.
  case ready(HeadphoneDescription, isEncrypted: Bool?)
  /// Another member of the set was connected or disconnected.
  case member(SetMember)
  /// The link or attempt ended, and a retry may help.
  case ended(DisconnectReason)
  /// A failure occurred that a retry would not fix.
  case failed(FailureReason)
  /// The process lacks a capability for the link.
  case denied(capability: String)
  /// The device lacks what the driver needs.
  case unsupported(missing: String)
  case noRoom
}

/// The result of a command; only `done` confirms a pending value.
///
/// See ``Setting``.
package enum CommandOutcome: Hashable, Sendable {
  case done
  case failed(CommandFailure)
}

/// Why a command failed, which determines the exit status.
///
/// It is 6 if the headphone refused, 5 without a link or response, and 1 otherwise.
package enum CommandFailure: Hashable, Sendable {
  /// The headphone lacks this feature.
  case unsupported(String)
  /// The headphone returned an error status.
  case refused(HeadphoneStatus)
  /// The receive states show that a request about a broadcast failed.
  case broadcast(BroadcastFailure)
  case noResponse
  /// The driver file with this name does not allow commands.
  case readOnly(file: String)
  /// The value is wrong in this way, as a sentence fragment.
  case badArgument(String)
  /// bluetoothd holds the link, and keeps the feature's service to itself.
  case withheld
  /// The driver has not started yet.
  case notReady
  /// The ATT error in words: opcode, handle, code, name, advice.
  case attribute(String)
  /// The link ended before the response.
  case linkLost(DisconnectReason)
  /// The headphone requires an encrypted link, which failed.
  case notSecured(SecurityFailure)
  /// The command was cancelled, though the headphone may have executed it.
  case cancelled
}
