public import AudioRoute
public import Bluetooth
public import BluetoothCodec
public import Desktop
public import HeadphoneProtocols

/// A side effect as data; its results return as actions.
///
/// `reduce` returns effects in the order in which they are to begin; it never runs one. A handler
/// (`LiveEffectHandler` in the program, a recording one in tests) starts each and returns without
/// waiting for it. What answers an effect:
///
/// | effects | answered by |
/// | --- | --- |
/// | `startScan`, `stopScan` | `Action.scan`, and `discovered` for each advertisement |
/// | `searchBroadcasts` | `Action.broadcast` for each advertisement |
/// | `connect`, `listen`, `disconnect` | `Action.link` |
/// | `listenForMember` | `Action.link` with a member |
/// | `perform` | `commandEnded` with the same token; values as `Action.headphone` |
/// | `refresh` | each value as `Action.headphone` |
/// | `setPower` | `powerFailed`; success shows in `adapterChanged` |
/// | `measure` | `measured` |
/// | those of firmware | `Action.firmware` |
/// | those of the inspector | `Action.inspection` |
/// | `readEQs`, `changeEQs`, `importEQ` | `Action.equaliser` |
/// | `correction` | `Action.correction`; a chain's success shows in the next `Action.audio` |
/// | `audio` | `audioCommandFailed`; success shows in the next `Action.audio` |
/// | `connectSound` | `soundLink` |
/// | `pair`, `pairSound`, `replyToPairing` | `Action.pairing` |
/// | `startTimer` | `timerFired`, unless cancelled |
/// | `examine` | `examined` |
/// | `runFix` | `fixEnded` |
/// | `changeConfiguration` | `configurationKept`; success shows in `scenesChanged`, `themesChanged` |
/// | `pausePlayers` | `playersPaused` |
///
/// The rest have no answer: files are written behind, and a failure is only logged.
public enum Effect: Hashable, Sendable {
  case startScan
  case stopScan
  /// Searches for broadcasts, or does so no longer.
  case searchBroadcasts(Bool)
  /// Makes one connection attempt; its results return as link events.
  case connect(HeadphoneID)
  /// Connects to the headphone as soon as it advertises (passive connection).
  case listen(for: HeadphoneID)
  /// Ends the link, the attempt or the passive connection at once.
  case disconnect(HeadphoneID)
  /// Connects to a member of the headphone's set as soon as it advertises.
  case listenForMember(HeadphoneID, PeerAddress)
  /// Ends the passive connection to a member; one that has a link keeps it.
  case stopListeningForMember(HeadphoneID, PeerAddress)
  /// Sends a command by the driver; its result returns with the same token.
  case perform(HeadphoneID, HeadphoneCommand, CommandToken)
  /// Reads all values again.
  case refresh(HeadphoneID)
  /// Measures the link's quality.
  case measure(HeadphoneID)
  /// Asks the headphone for its firmware status.
  case askFirmware(HeadphoneID)
  /// Looks up an update that an earlier run left unfinished.
  case recallFirmware(HeadphoneID)
  /// Reads an image file; the result returns as an event.
  case examineFirmware(HeadphoneID, path: String)
  /// Begins an update over a ready link, or resumes the one that was interrupted.
  ///
  /// The image is checked against the target again before its first byte is sent.
  case installFirmware(HeadphoneID, FirmwareCandidate, FirmwareTarget)
  /// Pauses an update; the headphone keeps what it received.
  case pauseFirmware(HeadphoneID)
  /// Discovers all attributes and reads those that are readable.
  case inspect(HeadphoneID)
  /// Reads the value with this handle.
  case readAttribute(HeadphoneID, UInt16)
  /// Writes bytes by hand.
  case writeAttribute(AttributeWrite)
  /// Enables or disables notifications of the value with this handle.
  case subscribeAttribute(HeadphoneID, UInt16, isOn: Bool)
  /// Reads the saved presets of the equaliser.
  case readEQs
  /// Changes the file of the saved presets.
  case changeEQs(SavedEQChange)
  /// Reads the text of a parametric equaliser.
  case importEQ(HeadphoneID, path: String)
  /// Looks up, applies and keeps corrections.
  case correction(CorrectionEffect)
  /// Sends a command to the sound server; only its failure returns.
  case audio(AudioCommand)
  /// Brings up the sound of the headphone with this BR/EDR address; the result returns as an action.
  case connectSound(HeadphoneID, address: String)
  /// Gives a command to a media player; only a refusal returns.
  case commandPlayer(PlayerCommand, MediaPlayer)
  /// Passes a headphone's key on to a media player, after those before it; a key that has waited too
  /// long is dropped.
  case pressPlayer(PlayerCommand, MediaPlayer)
  /// Offers headphones a media player for their buttons, or withdraws it.
  case offerPlayer(PlayerOffer)
  /// Gives the desktop these charges, and no others from now on.
  case shareCharges([HeadphoneCharge])
  /// Switches the adapter on or off; only a failure returns.
  case setPower(Bool)
  /// Pauses the media players that are playing, and remembers them.
  case pausePlayers
  /// Resumes the remembered media players.
  case resumePlayers
  /// Forgets the remembered media players without resuming them.
  case forgetPlayers
  /// Pairs on the ready link, and then over BR/EDR by the public address, if there is one.
  case pair(HeadphoneID, audio: String?)
  /// Pairs the audio side alone, of a headphone that has no other.
  case pairSound(HeadphoneID, address: String)
  /// Answers the pairing question with this identifier.
  case replyToPairing(UInt64, PairingAnswer)
  /// Drops the keys of the headphone, here and in the kernel.
  case unpair(HeadphoneID)
  /// Saves the headphone for later runs.
  case remember(KnownHeadphone)
  /// Saves one part of it; the rest stays as it is on the disk.
  case keep(KnownHeadphone.Part, of: KnownHeadphone)
  /// Adds a sample to the headphone's battery history on the disk.
  case keepCharge(HeadphoneID, ChargeSample)
  /// Adds a discharge to those of the headphone on the disk.
  case keepDischarge(HeadphoneID, Discharge)
  /// Moves the first identity's entry and link to the second, which turned out to be the same
  /// headphone under another address.
  case merge(HeadphoneID, with: HeadphoneID)
  /// Deletes the saved entry of a headphone that is a member of another's set; its keys stay.
  case drop(HeadphoneID)
  /// Forgets an unknown device that was evicted from the list.
  case discard(HeadphoneID)
  /// Deletes all that is saved of it, including its keys.
  case forget(HeadphoneID)
  /// Starts a timer; a running one with this identifier restarts.
  case startTimer(TimerID, TimerLength)
  /// Stops a timer, if it is running.
  case cancelTimer(TimerID)
  /// Completes a path that is being typed; the result returns as an action.
  case completePath(String)
  /// Runs the diagnosis.
  case examine
  /// Shows a desktop notification.
  case notify(summary: String, body: String)
  /// Runs the command of a hook.
  case runHook(HookRun)
  /// Starts or stops tracing every PDU of all links.
  case trace(isOn: Bool)
  /// Copies text to the terminal's clipboard (OSC 52).
  case copy(String)
  /// Draws every cell again.
  case redraw
  /// Draws in the theme of this name until it is another's turn; nil: in that of the configuration.
  case showTheme(String?)
  /// Changes the configuration file.
  case changeConfiguration(ConfigurationChange)
  /// Lends the terminal to the commands of a fix.
  case runFix(Fix)
  /// Suspends the program until the shell brings it to the foreground.
  case suspend
}

/// A change of the user's configuration file, all of which stays as it is but for one key or table.
public enum ConfigurationChange: Hashable, Sendable {
  /// The `theme` of `[screen]`.
  case theme(String)
  /// Appends its table; no scene of the file has its name.
  case addScene(Scene)
  /// Gives the scene of this name, as it is written in the file, another one.
  case renameScene(String, to: String)
  /// Removes the table of the scene of this name.
  case deleteScene(String)
  /// A key of `[sound]` or of a headphone's table.
  case sound(SoundSettingChange)
}

/// The identifier of a timer; there is at most one of each.
///
/// Starting a timer again restarts it. A timer that was cancelled never fires, even if its time had
/// already passed when it was cancelled.
public enum TimerID: Hashable, Sendable {
  /// The notice disappears.
  case notice
  /// All headphones nearby have probably advertised.
  case settled
  /// The delay before the next connection attempt is over.
  case reconnect(HeadphoneID)
  /// The link has stayed ready long enough to count as steady.
  case steady(HeadphoneID)
  /// The time within which the sound server should have the headphone's device.
  case sound(HeadphoneID)
  /// The time within which the sound server should have the sink of a headphone's correction.
  case correction(HeadphoneID)
  /// A changed setting of the sound is written to the configuration.
  case soundSetting
  /// Another part has had the time to connect the headphone's sound.
  case follow(HeadphoneID)
  /// A conversation is taken for over, of which the headphone has reported no end.
  case speech(HeadphoneID)
  /// A program that keeps raising the volume is answered again.
  case ceiling(HeadphoneID)
  /// The links are measured again.
  case measure
  /// The finder scans again.
  case findAgain
  /// The time in which a headphone that pressed play should have its sound here is over.
  case heldPlay
  /// The time in which a headphone may pause by itself is over.
  case wearPause
  /// One second of the time to answer a pairing question has passed.
  case pairing
}

/// The length of a timer.
public enum TimerLength: Hashable, Sendable {
  /// Without jitter.
  case exactly(Duration)
  /// A duration with ±20 % jitter, so that headphones and hosts do not retry in lockstep.
  case about(Duration)
}
