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
/// | `changeConfiguration` | `configurationKept`, or `configured` |
/// | `pausePlayers` | `playersPaused` |
///
/// The others have no result; failures to write files are only logged.
package enum Effect: Hashable, Sendable {
  case startScan
  case stopScan
  case searchBroadcasts(Bool)
  case connect(HeadphoneID)
  /// Connects to the headphone when it advertises (passive connection).
  case listen(for: HeadphoneID)
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
  case examineFirmware(HeadphoneID, path: String)
  /// Begins or resumes an update, after checking the image against the target again.
  case installFirmware(HeadphoneID, FirmwareCandidate, FirmwareTarget)
  /// Pauses an update; the headphone keeps what it received.
  case pauseFirmware(HeadphoneID)
  /// Discovers all attributes, and reads the readable ones.
  case inspect(HeadphoneID)
  case readAttribute(HeadphoneID, UInt16)
  case writeAttribute(AttributeWrite)
  case subscribeAttribute(HeadphoneID, UInt16, isOn: Bool)
  case readEQs
  case changeEQs(SavedEQChange)
  case importEQ(HeadphoneID, path: String)
  case correction(CorrectionEffect)
  case audio(AudioCommand)
  case connectSound(HeadphoneID, address: String)
  /// Sends a command to a media player; only a refusal returns.
  case commandPlayer(PlayerCommand, MediaPlayer)
  /// Passes a headphone's button press to a media player, in order; it is dropped if it waits too
  /// long.
  case pressPlayer(PlayerCommand, MediaPlayer)
  /// Registers a media player with bluetoothd for the buttons of headphones, or unregisters it.
  case offerPlayer(PlayerOffer)
  case shareCharges([HeadphoneCharge])
  case setPower(Bool)
  /// Pauses the media players that are playing, which ``Action/playersPaused(_:)`` then names.
  case pausePlayers
  case resumePlayers
  case forgetPlayers
  case pair(HeadphoneID, audio: String?)
  case pairSound(HeadphoneID, address: String)
  case replyToPairing(UInt64, PairingAnswer)
  case unpair(HeadphoneID)
  case remember(KnownHeadphone)
  /// Saves only this part of the headphone.
  case keep(KnownHeadphone.Part, of: KnownHeadphone)
  case keepCharge(HeadphoneID, ChargeSample)
  case keepDischarge(HeadphoneID, Discharge)
  /// Moves the first headphone's entry and link to the second, which is the same device.
  case merge(HeadphoneID, with: HeadphoneID)
  /// Deletes the saved entry, but not the keys, of a member of another headphone's set.
  case drop(HeadphoneID)
  case discard(HeadphoneID)
  case forget(HeadphoneID)
  case startTimer(TimerID, TimerLength)
  case cancelTimer(TimerID)
  case completePath(String)
  case examine
  case examineSecurity(HeadphoneID?)
  case notify(summary: String, body: String)
  case runHook(HookRun)
  case trace(isOn: Bool)
  /// Copies text to the terminal's clipboard (OSC 52).
  case copy(String)
  case redraw
  case showTheme(String?)
  case changeConfiguration(ConfigurationChange)
  /// Lends the terminal to the commands of a fix.
  case runFix(Fix)
  case suspend
}

package enum ConfigurationChange: Hashable, Sendable {
  case theme(String)
  case addScene(Scene)
  case renameScene(String, to: String)
  case deleteScene(String)
  case sound(SoundSettingChange)
}

/// The identifier of a timer, which a second start restarts, and which never fires once cancelled.
package enum TimerID: Hashable, Sendable {
  case notice
  /// The time in which all headphones nearby have probably advertised.
  case settled
  case reconnect(HeadphoneID)
  /// The time after which a ready link counts as steady.
  case steady(HeadphoneID)
  case sound(HeadphoneID)
  case correction(HeadphoneID)
  /// The delay before a changed sound setting is written to the configuration.
  case soundSetting
  /// The time that others get to connect the headphone's sound.
  case follow(HeadphoneID)
  /// The time after which speech counts as over without a report of its end.
  case speech(HeadphoneID)
  /// The time after which the call or the program of a scene counts as over.
  case scene(HeadphoneID, Scene.ID)
  case ceiling(HeadphoneID)
  case measure
  /// The age from which a charge that is only reported on request is requested again.
  case charge(HeadphoneID)
  case findAgain
  /// The time that the sound of a headphone that pressed play gets to arrive here.
  case heldPlay
  /// The time that a headphone gets to pause playback itself.
  case wearPause
  /// One second of the time to answer a pairing question.
  case pairing
}

package enum TimerLength: Hashable, Sendable {
  case exactly(Duration)
  case about(Duration)
}
