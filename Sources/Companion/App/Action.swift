package import AudioRoute
package import BluetoothCodec
package import BluetoothRadio
package import Desktop
package import HeadphoneProtocols

/// Something that happened, as input of the reducer.
///
/// Actions come from terminals and commands (`pressed`, `typed`, `pointed`), from drivers and
/// connections (`link`, `headphone`, `commandEnded`, `measured`) and from services of the computer
/// (`adapterChanged`, `audio`, `timerFired`). Only ``State/reduce(_:at:)`` changes state. It logs
/// and ignores an action that arrives too late, such as a value after the link has ended.
package enum Action: Hashable, Sendable {
  /// The program started; `scans` starts a scan once the adapter is on.
  case launched([KnownHeadphone], autoConnect: AutoConnect, scans: Bool = true)
  case pressed(UserCommand)
  /// The key does nothing on the current page.
  case unknownKey(String)
  /// A key may have been lost, because the process that had the link has ended.
  case keysLost
  case screenFocused(Bool)
  /// A row or a panel was clicked, which moves the focus and the cursor there.
  case pointed(Place)
  case barSet(Bar, percent: Int)
  case choiceMade(SettingID, String)
  /// A slider of the equaliser page was clicked at this gain.
  case sliderSet(band: Int, BandGain)
  case typed(TextKey)
  /// A typed path was completed; nil if nothing starts with it.
  case pathCompleted(String, PathCompletion?)
  case timerFired(TimerID)

  case adapterChanged(AdapterState)
  case scan(ScanEvent)
  case discovered(DiscoveredHeadphone)
  /// The first headphone turned out to be a member of the second's coordinated set.
  case joined(HeadphoneID, HeadphoneID)

  case link(HeadphoneID, LinkEvent)
  case headphone(HeadphoneID, HeadphoneEvent)
  case pairing(PairingEvent)
  /// The outcome of the effect `perform` with this token.
  case commandEnded(HeadphoneID, HeadphoneCommand, CommandToken, CommandOutcome)
  case firmware(HeadphoneID, FirmwareEvent)
  case equaliser(EqualiserEvent)
  case correction(HeadphoneID, CorrectionEvent)
  case broadcast(BroadcastEvent)
  case inspection(HeadphoneID, InspectionEvent)
  case charges(HeadphoneID, BatteryHistory)
  case measured(HeadphoneID, LinkQuality)
  /// The headphone answered a request for its charge, or did not.
  case chargeRead(HeadphoneID, isRead: Bool)

  case audio(AudioObservation)
  case audioLinks(AudioLinks?)
  case keyHandlerChanged(KeyHandler)
  case nowPlaying(NowPlaying?)
  case playerRefused(String)
  case deviceNews(DeviceNews)
  case playersPaused([String])
  case audioCommandFailed(AudioCommand, AudioError)
  case soundLink(HeadphoneID, SoundLinkEvent)
  case soundRouted
  case powerFailed(String, advice: String)
  /// The sound device was pinned by a command, or unpinned if nil.
  case soundPinned(HeadphoneID, SoundDevice.ID?)
  case soundModeChosen(HeadphoneID, SoundMode)

  case examined([DiagnosticResult])
  /// This computer was examined and, unless its identity is nil, a headphone.
  case securityExamined(ComputerSecurityFacts, HeadphoneID?, HeadphoneSurvey?)
  case fixEnded(status: Int32)
  case woke(asleep: Duration)
  /// The configuration was read; a resident process runs for longer than one command.
  case configured(Preferences, isResident: Bool)
  case configurationKept(ConfigurationChange, why: String)
  case configurationRead(mistakes: [String])

  case traffic(HeadphoneID, LogLine.Level, String, PacketDetail)

  /// A command needs the link while it runs; with `retries`, a link that fails is reconnected.
  case linkWanted(HeadphoneID, by: LinkHolder, retries: Bool)
  case linksReleased(by: LinkHolder)
  /// A command selected the headphone of later commands.
  case selected(HeadphoneID)

  /// A screen opened, or a command that shows values until it is interrupted.
  case viewerOpened
  case viewerClosed
  /// The current viewpoint's screen closed, while others stay open.
  case screenLeft

  case noted(LogLine.Level, HeadphoneID?, String)
}

/// A key press in a text entry; a paste arrives as a sequence of characters.
package enum TextKey: Hashable, Sendable {
  case character(Character)
  case backspace
  case delete
  case clear
  case left, right, start, end
}

package enum AutoConnect: Hashable, Sendable {
  /// The headphone used last, or an unknown one if none was used.
  ///
  /// Among unknown devices, the choice is made one second after the last of them appeared, so that
  /// a stronger signal has time to arrive.
  case lastUsed(else: UnknownDevice)
  case matching(String)
  case never

  package enum UnknownDevice: Hashable, Sendable {
    /// The only unknown headphone; among several, the user chooses.
    case only
    case nearest
  }
}

/// An event of a scan, which `started` begins and one of the others ends.
package enum ScanEvent: Hashable, Sendable {
  case started
  case ended
  /// The process lacks a capability for scanning, which it would not need with bluetoothd.
  case denied(capability: String, isBluetoothdGone: Bool = false)
  case failed(RadioError)
}

/// An advertisement; values that it lacks are nil, and the known name and addresses are kept.
package struct DiscoveredHeadphone: Hashable, Sendable {
  package var id: HeadphoneID
  /// The name, not sanitised, or nil if not advertised this time.
  package var name: String?
  package var isNameShortened = false
  package var address: PeerAddress
  package var publicAddress: String?
  /// The address in the device's bond; nil without a bond.
  package var bondAddress: PeerAddress?
  package var rssi: Int8?
  package var battery: [Part: Battery]?
  /// The values of a headphone that cannot be connected; nil if it can be.
  package var reported: AdvertisedState?
  package var isAudioOnly = false
  package var isSetMember = false
  /// The identity of the same address before the device was identified; nil if there was none.
  package var earlierID: HeadphoneID?
  /// What the advertisement reveals to others, or nil if the headphone did not send one itself.
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

/// The values of a headphone without a control link, such as Apple's proximity advertisements.
package struct AdvertisedState: Hashable, Sendable {
  package var wearing: Wearing
  package var isCaseOpen: Bool?

  package init(wearing: Wearing, isCaseOpen: Bool?) {
    self.wearing = wearing
    self.isCaseOpen = isCaseOpen
  }
}

/// A headphone from the file of known headphones; its keys are in a separate file of bonds.
package struct KnownHeadphone: Hashable, Sendable {
  package var id: HeadphoneID
  package var name: String
  package var address: PeerAddress
  package var publicAddress: String?
  package var bondAddress: PeerAddress?
  /// The serial number; nil if it was not reported or a placeholder.
  package var serial: SerialNumber?
  package var lastUsed: Timestamp?
  package var soundPin: SoundDevice.ID?
  package var correction: CorrectionChoice
  package var sound: KnownSound
  package var setKey: SetKey?
  package var memberAddresses: [PeerAddress]
  package var sightings: BudSightings
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

package enum SoundLinkEvent: Hashable, Sendable {
  /// bluetoothd has the audio transport; the sound server's device follows.
  case connected
  case disconnected
  case failed(String, advice: String)
}

/// An event of a connection attempt or its link.
///
/// The reducer relies on this grammar:
///
/// ```
/// attempt = [connected [ready *(member / began / finished)]] end
/// end     = ended / failed / denied / unsupported / noRoom
/// ```
///
/// Events of a headphone that is no longer being connected are ignored.
package enum LinkEvent: Hashable, Sendable {
  case connected
  /// The driver has started; `isEncrypted` is nil if the link does not report encryption.
  case ready(HeadphoneDescription, isEncrypted: Bool?)
  /// Another member of the set was connected or disconnected.
  case member(SetMember)
  /// The link or attempt ended, and a retry may help.
  case ended(DisconnectReason)
  case failed(FailureReason)
  case denied(capability: String)
  case unsupported(missing: String)
  case noRoom
}

/// The result of a command; only `done` confirms a pending ``Setting``.
package enum CommandOutcome: Hashable, Sendable {
  case done
  case failed(CommandFailure)
}

package enum CommandFailure: Hashable, Sendable {
  case unsupported(String)
  case refused(HeadphoneStatus)
  case broadcast(BroadcastFailure)
  case noResponse
  /// The driver file of this name allows no commands.
  case readOnly(file: String)
  case badArgument(String)
  /// bluetoothd holds the link and keeps the feature's service to itself.
  case withheld
  case notReady
  /// An ATT error as text: opcode, handle, code, name, advice.
  case attribute(String)
  case linkLost(DisconnectReason)
  case notSecured(SecurityFailure)
  /// The command was cancelled, though the headphone may have executed it.
  case cancelled
}
