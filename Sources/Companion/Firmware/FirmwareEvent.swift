package import HeadphoneProtocols

/// An event of a firmware update, in response to a firmware effect.
///
/// An event that does not fit the current ``FirmwareState/Stage``, such as progress after a pause,
/// is logged and ignored.
package enum FirmwareEvent: Hashable, Sendable {
  /// The headphone reported its status (command 0x57).
  case reported(FirmwareStatus)
  /// An earlier run left this unfinished update.
  case recalled(InterruptedUpdate)
  /// The file is a complete image.
  case examined(FirmwareCandidate)
  /// The file cannot be read or is no complete image, with advice.
  case rejected(path: String, reason: String, advice: String)
  /// The image was not sent, because the conditions have changed since they were checked.
  case refused(FirmwareRefusal)
  /// Progress was made, reported for each phase and each percent.
  case progressed(FirmwareProgress)
  /// The update continues over the next link.
  case needsLink
  /// The update stopped for this reason, with advice.
  case stopped(reason: String, advice: String)
  case ended(FirmwareOutcome)
}
