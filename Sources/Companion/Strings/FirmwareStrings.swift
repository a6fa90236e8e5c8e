package import HeadphoneProtocols

extension FirmwareUpdate.Phase {
  package var displayText: String {
    switch self {
    case .waitingForLink: "waiting for the headphone"
    case .asking: "asking the headphone"
    case .beginning: "beginning"
    case .transferring: "sending"
    case .verifying: "the headphone is verifying the image"
    case .activating: "the headphone is preparing to restart"
    case .restarting: "the headphone is restarting"
    case .confirming: "confirming"
    case .ended: "done"
    }
  }
}

extension FirmwareStatus.State {
  package var displayText: String {
    switch self {
    case .idle: "no update in progress"
    case .receiving: "part of an image received; install it again to continue"
    case .received: "image received, not verified"
    case .verified: "image verified, not started"
    case .trial: "on trial, not confirmed yet"
    case .rolledBack: "the last image was rolled back"
    }
  }
}

extension FirmwareProgress {
  /// The rate, such as "28.9 kB/s"; nil if unknown.
  package var rateText: String? {
    rate.map { "\(Int($0 / 100) / 10).\(Int($0 / 100) % 10) kB/s" }
  }

  /// The remaining time, such as "3 s left"; nil if unknown.
  package var remainingText: String? {
    remaining.map { time in
      let seconds = time.components.seconds + 1
      return seconds < 100 ? "\(seconds) s left" : "\((seconds + 59) / 60) min left"
    }
  }
}

extension FirmwareManifest {
  /// The expected time at 5 kB/s on a link with a small MTU to 30 kB/s on a good one.
  ///
  /// The restart takes 10 s, or 20 s at worst.
  package var expectedTime: String {
    let restart = 10
    let quickest = Int(imageSize) / 30_000 + restart
    let slowest = Int(imageSize) / 5_000 + 2 * restart
    return slowest < 100
      ? "\(quickest) to \(slowest) s" : "\((quickest + 59) / 60) to \((slowest + 59) / 60) min"
  }
}

extension State {
  func installText(_ id: HeadphoneID) -> String {
    guard let headphone = headphones[id], let offer = headphone.firmware.offer else { return "" }
    let isForced = headphone.firmwareChecks.contains { $0.refusal != nil }
    let first =
      isForced
      ? "It is not newer than the installed version. Install \(offer.manifest.version) on \(name(of: id)) "
        + "anyway?"
      : "Install \(offer.manifest.version) on \(name(of: id))?"
    return
      "\(first) It takes \(offer.manifest.expectedTime), then the headphone restarts: sound and "
      + "controls drop for a few seconds. Do not switch it off. The old firmware stays until the "
      + "new one works."
  }
}
