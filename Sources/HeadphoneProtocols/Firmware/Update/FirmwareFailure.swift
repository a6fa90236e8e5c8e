/// Why an update has ended without its image running; the old firmware runs.
public enum FirmwareFailure: Error, Hashable, Sendable {
  /// The headphone has acknowledged bytes that were never sent.
  case impossibleAcknowledgement(offset: Int, sent: Int)
  /// A block arrived wrong each time.
  case blockNeverMatches(index: Int)
  /// The headphone refused a step.
  case refused(CommandID, HeadphoneStatus)
  /// An answer that could not be read.
  case badAnswer(CommandID)
  /// Several links in a row carried nothing.
  case noProgress
  /// Another image is on trial; it must be confirmed or rolled back first.
  case anotherOnTrial(FirmwareVersion)
  /// The headphone started the new image, and came back with the old one.
  case rolledBack(running: FirmwareVersion)
  /// The headphone says that it runs the new image, and its firmware revision says otherwise.
  case revisionDiffers(expected: FirmwareVersion, reported: FirmwareVersion)
  /// The headphone did not come back after its restart.
  case neverCameBack

  /// Whether the next try goes on where this one stopped.
  public var isResumable: Bool {
    switch self {
    case .noProgress, .neverCameBack: true
    case .refused(_, let status): status == .busy || status == .batteryTooLow
    case .impossibleAcknowledgement, .blockNeverMatches, .badAnswer, .anotherOnTrial, .rolledBack,
      .revisionDiffers:
      false
    }
  }
}

/// How an update has ended.
public enum FirmwareOutcome: Hashable, Sendable {
  /// The new image runs and stays.
  case installed(FirmwareVersion)
  /// The old firmware runs.
  case failed(FirmwareFailure)
}
