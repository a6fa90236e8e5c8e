public import Headphones

/// How an update of one headphone's firmware goes on.
public enum FirmwareEvent: Hashable, Sendable {
  /// The headphone has told where it is (command 0x57).
  case reported(FirmwareStatus)
  /// What an earlier run has begun and not ended.
  case recalled(InterruptedUpdate)
  /// The file is an image, and whole.
  case examined(FirmwareCandidate)
  /// The file cannot be read, or is no whole image; what to do.
  case rejected(path: String, reason: String, advice: String)
  /// The image is not sent: what was looked at has changed since.
  case refused(FirmwareRefusal)
  /// Told at each step and at each percent.
  case progressed(FirmwareProgress)
  /// This link carries the update no further; the next one goes on with it.
  case needsLink
  /// The update cannot go on by itself; why, and what to do.
  case stopped(reason: String, advice: String)
  /// The update is over, well or not.
  case ended(FirmwareOutcome)
}
