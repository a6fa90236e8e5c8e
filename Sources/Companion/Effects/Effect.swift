public import AudioRoute
public import Headphones

/// Something to do in the world, as data; what comes of it returns as actions.
public enum Effect: Hashable, Sendable {
  case startScan
  case stopScan
  /// One attempt; what comes of it returns as link events.
  case connect(HeadphoneID)
  /// Links with it as soon as it is heard; until then nothing is told.
  case listen(for: HeadphoneID)
  /// Ends the link, the attempt or the listening at once.
  case disconnect(HeadphoneID)
  /// Gives a command to the driver; its end returns with the same token.
  case perform(HeadphoneID, HeadphoneCommand, CommandToken)
  /// Reads all values again.
  case refresh(HeadphoneID)
  /// Measures how good the link is.
  case measure(HeadphoneID)
  /// Asks the headphone where it is with its firmware.
  case askFirmware(HeadphoneID)
  /// Look up what an earlier run has begun and not ended.
  case recallFirmware(HeadphoneID)
  /// Reads an image file; what it is returns as an event.
  case examineFirmware(HeadphoneID, path: String)
  /// Begins an update over the link that is ready, or resumes the one that was interrupted.
  ///
  /// The image is checked against the target again before its first byte is sent.
  case installFirmware(HeadphoneID, FirmwareCandidate, FirmwareTarget)
  /// Stops an update where it is; the headphone keeps what it has.
  case pauseFirmware(HeadphoneID)
  /// Looks at all attributes, and reads those that can be read.
  case inspect(HeadphoneID)
  /// Reads the value with this handle.
  case readAttribute(HeadphoneID, UInt16)
  /// Writes bytes by hand.
  case writeAttribute(AttributeWrite)
  /// Wants the value with this handle to be told by the headphone, or not any more.
  case subscribeAttribute(HeadphoneID, UInt16, isOn: Bool)
  /// Reads the saved presets of the equaliser.
  case readEQs
  /// Changes the file of the saved presets.
  case changeEQs(SavedEQChange)
  /// Reads the text of a parametric equaliser.
  case importEQ(HeadphoneID, path: String)
  /// Gives a command to the sound server; only its failure returns.
  case audio(AudioCommand)
  /// Brings the sound of the headphone with this BR/EDR address up; what comes of it returns.
  case connectSound(HeadphoneID, address: String)
  /// Switches the adapter on or off; only its failure returns.
  case setPower(Bool)
  /// Pauses the media players that play, and remembers which they were.
  case pausePlayers
  /// Lets the remembered media players play on.
  case resumePlayers
  /// The remembered media players stay as they are.
  case forgetPlayers
  /// Pairs on the ready link, and then the audio side by its public address, if it has one.
  case pair(HeadphoneID, audio: String?)
  /// Pairs the audio side alone, of a headphone that has no other.
  case pairSound(HeadphoneID, address: String)
  /// Says what the person said to the question with this identity.
  case answerPairing(PairingID, PairingReply)
  /// Drops the keys of the headphone, here and in the kernel.
  case unpair(HeadphoneID)
  /// Keeps the headphone for later runs.
  case remember(KnownHeadphone)
  /// Keeps which sound device the headphone is, or that none is pinned.
  case keepSoundPin(KnownHeadphone)
  /// What is known as the first turns out to be the second, under another address; its link goes
  /// on.
  case merge(HeadphoneID, with: HeadphoneID)
  /// Drops what is kept of it as a headphone of its own; its keys stay.
  case drop(HeadphoneID)
  /// Forgets where it was heard: it only passed by.
  case discard(HeadphoneID)
  /// Drops all that is kept of it, its keys included.
  case forget(HeadphoneID)
  /// Starts a timer; a running one of this name begins anew.
  case startTimer(TimerID, TimerLength)
  /// Stops a timer; one that does not run is none.
  case cancelTimer(TimerID)
  /// Looks at what keeps the program from its work.
  case examine
  /// Tells a person who may be looking elsewhere, by the desktop.
  case notify(summary: String, body: String)
  /// Follows every PDU of all links, or does not.
  case trace(isOn: Bool)
  /// Gives the terminal text for its clipboard.
  case copy(String)
  /// Draws every cell again.
  case redraw
  /// Gives the terminal back to the shell until it brings the program to the front.
  case suspend
}

/// What a timer is for; of each there is at most one.
public enum TimerID: Hashable, Sendable {
  /// The notice has been read.
  case notice
  /// All headphones nearby have probably been heard.
  case settled
  /// The pause before the next attempt is over.
  case reconnect(HeadphoneID)
  /// The link has stayed ready for long.
  case steady(HeadphoneID)
  /// The sound server should have the headphone's device by now.
  case sound(HeadphoneID)
  /// How good the links are is looked at again.
  case measure
  /// A second of the time to answer a pairing is over.
  case pairing
}

/// How long a timer runs.
public enum TimerLength: Hashable, Sendable {
  /// Without jitter.
  case exactly(Duration)
  /// With ±20 % jitter, so that headphones and hosts do not meet in step.
  case about(Duration)
}
