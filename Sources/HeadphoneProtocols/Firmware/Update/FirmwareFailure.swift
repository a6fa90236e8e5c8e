/// The reason why an update failed; the old firmware is running, or will be after a roll-back.
public enum FirmwareFailure: Error, Hashable, Sendable {
  /// The headphone acknowledged bytes that were never sent.
  case impossibleAcknowledgement(offset: Int, sent: Int)
  /// The checksum of a block was wrong three times.
  case blockNeverMatches(index: Int)
  case refused(CommandID, HeadphoneStatus)
  case badResponse(CommandID)
  /// Several consecutive links transferred nothing, or there was no link.
  case noProgress
  /// Another image is on trial, which must be confirmed or rolled back first.
  case anotherOnTrial(FirmwareVersion)
  /// The headphone started the new image, and returned with the old one.
  case rolledBack(running: FirmwareVersion)
  /// The new image is on trial, but the Firmware Revision String reports another version.
  case revisionDiffers(expected: FirmwareVersion, reported: FirmwareVersion)
  case neverCameBack

  /// Whether another attempt may succeed, and would continue where this one stopped.
  public var isResumable: Bool {
    switch self {
    case .noProgress, .neverCameBack: true
    case .refused(_, let status): status == .busy || status == .batteryTooLow
    case .impossibleAcknowledgement, .blockNeverMatches, .badResponse, .anotherOnTrial, .rolledBack,
      .revisionDiffers:
      false
    }
  }
}

/// The result of an update.
public enum FirmwareOutcome: Hashable, Sendable {
  /// The new image is running and confirmed.
  case installed(FirmwareVersion)
  case failed(FirmwareFailure)
}
