package import HeadphoneProtocols

package struct FirmwareCandidate: Hashable, Sendable {
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

package struct FirmwareState: Hashable, Sendable {
  /// The stage of an update, whose order the firmware reducer defines.
  package enum Stage: Hashable, Sendable {
    case none
    case examining(path: String)
    case rejected(path: String, reason: String, advice: String)
    case offered(FirmwareCandidate)
    /// The update is in progress, with or without a link.
    case running(FirmwareCandidate, FirmwareProgress)
    /// The user or an error that needs the user paused the update, which can be resumed.
    case paused(FirmwareCandidate, FirmwareProgress)
    case ended(FirmwareCandidate, FirmwareOutcome)
  }

  package var stage = Stage.none
  package var status: FirmwareStatus?
  /// The unfinished update of an earlier run; nil once it has been resumed.
  package var unfinished: InterruptedUpdate?

  package init() {}

  package var offer: FirmwareCandidate? {
    switch stage {
    case .none, .examining, .rejected: nil
    case .offered(let offer), .running(let offer, _), .paused(let offer, _), .ended(let offer, _):
      offer
    }
  }

  package var resumable: InterruptedUpdate? { unfinished?.file == .there ? unfinished : nil }

  /// The path chosen last or by an earlier run, or "".
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
  package init(_ headphone: HeadphoneState) {
    self.init(
      profile: headphone.driver,
      hardware: headphone.information.hardware.flatMap(Self.hardware(named:)),
      running: headphone.runningFirmware,
      batteries: headphone.battery?.value ?? [:], isUpdating: headphone.firmware.isRunning)
  }
}

extension HeadphoneState {
  package var updateTarget: FirmwareTarget {
    var target = FirmwareTarget(self)
    // A running update is this one.
    target.isUpdating = false
    return target
  }

  /// The running version; nil if the headphone does not report it.
  package var runningFirmware: FirmwareVersion? {
    firmware.status?.running ?? information.firmware.flatMap { FirmwareVersion($0) }
  }

  package var firmwareChecks: [FirmwareCheck] {
    guard let offer = firmware.offer else { return [] }
    return offer.manifest.checks(for: FirmwareTarget(self), offer.trust)
  }
}
