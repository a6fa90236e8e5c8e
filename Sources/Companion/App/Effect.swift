package import AudioRoute
package import BluetoothCodec
package import BluetoothRadio
package import Desktop
package import HeadphoneProtocols

/// A side effect as data, whose results return as actions.
///
/// `reduce` returns effects in the order in which they begin, and a handler starts each without
/// waiting for it. These actions follow:
///
/// | effects | actions |
/// | --- | --- |
/// | `startScan`, `stopScan` | `Action.scan`, and `discovered` for each advertisement |
/// | `searchBroadcasts` | `Action.broadcast` for each advertisement |
/// | `connect`, `listen`, `disconnect` | `Action.link` |
/// | `listenForMember` | `Action.link` with a member |
/// | `perform` | `commandEnded` with the same token; values as `Action.headphone` |
/// | `refresh` | `Action.headphone` for each value |
/// | `setPower` | `powerFailed`, or `adapterChanged` after success |
/// | `measure` | `measured` |
/// | those of firmware | `Action.firmware` |
/// | those of the inspector | `Action.inspection` |
/// | `readEQs`, `changeEQs`, `importEQ` | `Action.equaliser` |
/// | `correction` | `Action.correction`, or `Action.audio` after a chain has started |
/// | `audio` | `audioCommandFailed`, or `Action.audio` after success |
/// | `connectSound` | `soundLink` |
/// | `pair`, `pairSound`, `replyToPairing` | `Action.pairing` |
/// | `startTimer` | `timerFired`, unless cancelled |
/// | `examine` | `examined` |
/// | `examineSecurity` | `securityExamined` |
/// | `runFix` | `fixEnded` |
/// | `changeConfiguration` | `configurationKept`, or `scenesChanged` or `themesChanged` |
/// | `pausePlayers` | `playersPaused` |
///
/// The others have no result; failures to write files are only logged.
package enum Effect: Hashable, Sendable {
  case startScan
  case stopScan
  /// Starts or stops a search for broadcasts.
  case searchBroadcasts(Bool)
  /// Makes one connection attempt.
  case connect(HeadphoneID)
  /// Connects to the headphone when it advertises (passive connection).
  case listen(for: HeadphoneID)
  /// Ends the link, the attempt or the passive connection.
  case disconnect(HeadphoneID)
  /// Connects to a member of the headphone's set when it advertises.
  case listenForMember(HeadphoneID, PeerAddress)
  /// Ends the passive connection to a member, but not its link.
  case stopListeningForMember(HeadphoneID, PeerAddress)
  case perform(HeadphoneID, HeadphoneCommand, CommandToken)
  case refresh(HeadphoneID)
  case measure(HeadphoneID)
  /// Asks for the charge alone; answered by ``Action/chargeRead(_:isRead:)``.
  case readCharge(HeadphoneID)
  case askFirmware(HeadphoneID)
  /// Looks up an update that an earlier run left unfinished.
  case recallFirmware(HeadphoneID)
  /// Reads the image file at `path`.
  case examineFirmware(HeadphoneID, path: String)
  /// Begins or resumes an update, after checking the image against the target again.
  case installFirmware(HeadphoneID, FirmwareCandidate, FirmwareTarget)
  /// Pauses an update; the headphone keeps what it received.
  case pauseFirmware(HeadphoneID)
  /// Discovers all attributes, and reads the readable ones.
  case inspect(HeadphoneID)
  /// Reads the value with this handle.
  case readAttribute(HeadphoneID, UInt16)
  case writeAttribute(AttributeWrite)
  /// Enables or disables notifications of the value with this handle.
  case subscribeAttribute(HeadphoneID, UInt16, isOn: Bool)
  /// Reads the saved presets of the equaliser.
  case readEQs
  case changeEQs(SavedEQChange)
  /// Reads the parametric equaliser at `path`.
  case importEQ(HeadphoneID, path: String)
  case correction(CorrectionEffect)
  case audio(AudioCommand)
  /// Connects the sound of the headphone with this BR/EDR address.
  case connectSound(HeadphoneID, address: String)
  /// Sends a command to a media player; only a refusal returns.
  case commandPlayer(PlayerCommand, MediaPlayer)
  /// Passes a headphone's button press to a media player, in order, and drops it if it waits too
  /// long.
  case pressPlayer(PlayerCommand, MediaPlayer)
  /// Offers headphones a media player for their buttons, or withdraws it.
  case offerPlayer(PlayerOffer)
  /// Replaces the charges that the desktop knows.
  case shareCharges([HeadphoneCharge])
  /// Switches the adapter on or off.
  case setPower(Bool)
  /// Pauses the media players that are playing, and remembers them.
  case pausePlayers
  case resumePlayers
  case forgetPlayers
  /// Pairs on the ready link, and then over BR/EDR if `audio` is a public address.
  case pair(HeadphoneID, audio: String?)
  /// Pairs a headphone that has only an audio side.
  case pairSound(HeadphoneID, address: String)
  /// Answers the pairing question with this identifier.
  case replyToPairing(UInt64, PairingAnswer)
  /// Deletes the keys of the headphone, here and in the kernel.
  case unpair(HeadphoneID)
  /// Saves the headphone.
  case remember(KnownHeadphone)
  /// Saves one part of the headphone.
  case keep(KnownHeadphone.Part, of: KnownHeadphone)
  /// Adds a sample to the stored battery history.
  case keepCharge(HeadphoneID, ChargeSample)
  /// Adds a discharge to the stored ones.
  case keepDischarge(HeadphoneID, Discharge)
  /// Moves the first identity's entry and link to the second, which is the same headphone.
  case merge(HeadphoneID, with: HeadphoneID)
  /// Deletes the saved entry, but not the keys, of a member of another headphone's set.
  case drop(HeadphoneID)
  /// Forgets an unknown device that was evicted from the list.
  case discard(HeadphoneID)
  /// Deletes everything saved about the headphone, including its keys.
  case forget(HeadphoneID)
  /// Starts or restarts a timer.
  case startTimer(TimerID, TimerLength)
  case cancelTimer(TimerID)
  /// Completes a typed path.
  case completePath(String)
  /// Runs the diagnosis.
  case examine
  /// Reads what the security check needs, of this computer and of a headphone, if there is one.
  case examineSecurity(HeadphoneID?)
  /// Shows a desktop notification.
  case notify(summary: String, body: String)
  case runHook(HookRun)
  /// Starts or stops tracing every PDU of all links.
  case trace(isOn: Bool)
  /// Copies text to the terminal's clipboard (OSC 52).
  case copy(String)
  /// Draws every cell again.
  case redraw
  /// Shows the theme of this name temporarily, or the configured one if nil.
  case showTheme(String?)
  case changeConfiguration(ConfigurationChange)
  /// Lends the terminal to the commands of a fix.
  case runFix(Fix)
  /// Suspends the program until the shell resumes it.
  case suspend
}

/// A change of one key or table of the user's configuration file.
package enum ConfigurationChange: Hashable, Sendable {
  /// The `theme` of `[screen]`.
  case theme(String)
  /// Appends the table of a scene with a new name.
  case addScene(Scene)
  /// Renames the scene of this name.
  case renameScene(String, to: String)
  /// Removes the table of the scene of this name.
  case deleteScene(String)
  /// A key of `[sound]` or of a headphone's table.
  case sound(SoundSettingChange)
}

/// The identifier of a timer.
///
/// Starting a timer again restarts it. A cancelled timer never fires, even if its time had passed.
package enum TimerID: Hashable, Sendable {
  /// The notice disappears.
  case notice
  /// All headphones nearby have probably advertised.
  case settled
  /// The delay before the next connection attempt is over.
  case reconnect(HeadphoneID)
  /// The link has been ready long enough to count as steady.
  case steady(HeadphoneID)
  /// The sound server should have the headphone's device.
  case sound(HeadphoneID)
  /// The sound server should have the sink of a headphone's correction.
  case correction(HeadphoneID)
  /// A changed sound setting is written to the configuration.
  case soundSetting
  /// Others have had time to connect the headphone's sound.
  case follow(HeadphoneID)
  /// A conversation counts as over, although the headphone has not reported its end.
  case speech(HeadphoneID)
  /// A program that keeps raising the volume is corrected again.
  case ceiling(HeadphoneID)
  /// The links are measured again.
  case measure
  /// The charge that a headphone tells only when asked is old.
  case charge(HeadphoneID)
  /// The finder scans again.
  case findAgain
  /// A headphone that pressed play should have its sound here.
  case heldPlay
  /// A headphone has had time to pause playback itself.
  case wearPause
  /// One second of the time to answer a pairing question has passed.
  case pairing
}

/// The length of a timer.
package enum TimerLength: Hashable, Sendable {
  /// Without jitter.
  case exactly(Duration)
  /// With ±20 % jitter, so that headphones and hosts do not retry in lockstep.
  case about(Duration)
}
