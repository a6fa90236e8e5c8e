package import HeadphoneProtocols

/// A firmware image chosen for one headphone.
package struct FirmwareCandidate: Hashable, Sendable {
  /// The path as entered.
  package var path: String
  package var manifest: FirmwareManifest
  /// The signer, as verified with the trusted keys.
  package var trust: FirmwareTrust
  /// Whether to send an image that is not newer, and let the headphone decide.
  package var isForced = false

  package init(path: String, manifest: FirmwareManifest, trust: FirmwareTrust) {
    self.path = path
    self.manifest = manifest
    self.trust = trust
  }
}

/// The firmware status and update of one headphone.
package struct FirmwareState: Hashable, Sendable {
  /// The stage of an update, whose order the firmware reducer defines.
  package enum Stage: Hashable, Sendable {
    case none
    /// The file is being read.
    case examining(path: String)
    /// The file is not usable, with advice.
    case rejected(path: String, reason: String, advice: String)
    /// The image is valid and waits for confirmation.
    case offered(FirmwareCandidate)
    /// The update is in progress, with or without a link.
    case running(FirmwareCandidate, FirmwareProgress)
    /// The user or an error that needs the user paused the update, which can be resumed.
    case paused(FirmwareCandidate, FirmwareProgress)
    case ended(FirmwareCandidate, FirmwareOutcome)
  }

  package var stage = Stage.none
  /// The last status that the headphone reported, or nil if none.
  package var status: FirmwareStatus?
  /// The unfinished update of an earlier run, or nil if there is none or it has been resumed.
  package var unfinished: InterruptedUpdate?

  package init() {}

  /// The chosen image, or nil if none.
  package var offer: FirmwareCandidate? {
    switch stage {
    case .none, .examining, .rejected: nil
    case .offered(let offer), .running(let offer, _), .paused(let offer, _), .ended(let offer, _):
      offer
    }
  }

  /// The interrupted update whose file is unchanged, or nil if none.
  package var resumable: InterruptedUpdate? { unfinished?.file == .there ? unfinished : nil }

  /// The path chosen last or by an earlier run, or "" if none.
  package var path: String {
    switch stage {
    case .none: resumable?.path ?? ""
    case .examining(let path), .rejected(let path, _, _): path
    case .offered(let offer), .running(let offer, _), .paused(let offer, _), .ended(let offer, _):
      offer.path
    }
  }

  package var isRunning: Bool {
    if case .running = stage { true } else { false }
  }
}

extension FirmwareTarget {
  /// Creates the target of updates that a headphone reports.
  package init(_ headphone: HeadphoneState) {
    self.init(
      profile: headphone.driver,
      hardware: headphone.information.hardware.flatMap(Self.hardware(named:)),
      running: headphone.runningFirmware,
      batteries: headphone.battery?.value ?? [:], isUpdating: headphone.firmware.isRunning)
  }
}

extension HeadphoneState {
  /// The target as seen by the update that is about to begin.
  package var updateTarget: FirmwareTarget {
    var target = FirmwareTarget(self)
    // A running update is this one.
    target.isUpdating = false
    return target
  }

  /// The running version, or nil if the headphone does not report it.
  package var runningFirmware: FirmwareVersion? {
    firmware.status?.running ?? information.firmware.flatMap { FirmwareVersion($0) }
  }

  /// The checks of the chosen image.
  package var firmwareChecks: [FirmwareCheck] {
    guard let offer = firmware.offer else { return [] }
    return offer.manifest.checks(for: FirmwareTarget(self), offer.trust)
  }
}
