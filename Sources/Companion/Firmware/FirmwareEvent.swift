package import HeadphoneProtocols

/// A result of a firmware effect, ignored if it does not fit the current ``FirmwareState/Stage``.
package enum FirmwareEvent: Hashable, Sendable {
  /// The headphone reported its status (command 0x57).
  case reported(FirmwareStatus)
  case recalled(InterruptedUpdate)
  /// The file is a complete image.
  case examined(FirmwareCandidate)
  case rejected(path: String, reason: String, advice: String)
  /// The image was not sent, because the conditions have changed since they were checked.
  case refused(FirmwareRefusal)
  /// The update entered another phase or reached another percent.
  case progressed(FirmwareProgress)
  /// The update continues over the next link.
  case needsLink
  case stopped(reason: String, advice: String)
  case ended(FirmwareOutcome)
}
