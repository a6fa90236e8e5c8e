public import HeadphoneProtocols

/// A step of a firmware update.
///
/// Answers to the firmware effects. An event that does not fit the ``FirmwareState/Stage`` it
/// arrives in, such as progress after a pause, is logged and ignored.
public enum FirmwareEvent: Hashable, Sendable {
  /// The headphone reported its status (command 0x57).
  case reported(FirmwareStatus)
  /// The unfinished update of an earlier run.
  case recalled(InterruptedUpdate)
  /// The file is an image, and whole.
  case examined(FirmwareCandidate)
  /// The file cannot be read, or is no whole image; what to do.
  case rejected(path: String, reason: String, advice: String)
  /// The image is not sent: what was looked at has changed since.
  case refused(FirmwareRefusal)
  /// Sent at each phase and at each percent.
  case progressed(FirmwareProgress)
  /// The update continues over the next link.
  case needsLink
  /// The update cannot continue by itself; why, and what to do.
  case stopped(reason: String, advice: String)
  /// The update has ended, successfully or not.
  case ended(FirmwareOutcome)
}
