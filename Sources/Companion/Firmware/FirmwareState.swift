public import HeadphoneProtocols

/// A firmware image that was chosen for one headphone.
public struct FirmwareCandidate: Hashable, Sendable {
  /// The path of the file, as it was entered.
  public var path: String
  /// The image's own description.
  public var manifest: FirmwareManifest
  /// Its signer, as far as the trusted keys can verify it.
  public var trust: FirmwareTrust
  /// Whether an image that is not newer is sent all the same; the headphone then decides.
  public var isForced = false

  public init(path: String, manifest: FirmwareManifest, trust: FirmwareTrust) {
    self.path = path
    self.manifest = manifest
    self.trust = trust
  }
}

/// The firmware status and update of one headphone.
///
/// Values of type ``Stage`` form a path that `follow(_:of:at:)` of the firmware reducer describes.
/// ``status`` and ``unfinished`` are independent of it.
public struct FirmwareState: Hashable, Sendable {
  /// How far an update is.
  public enum Stage: Hashable, Sendable {
    /// No image is chosen.
    case none
    /// The file is being read.
    case examining(path: String)
    /// The file is of no use, and what to do about it.
    case rejected(path: String, reason: String, advice: String)
    /// The image is valid, and waits for the user's confirmation.
    case offered(FirmwareCandidate)
    /// The update is under way, with or without a link at this moment.
    case running(FirmwareCandidate, FirmwareProgress)
    /// The user, or an error that waiting does not fix, paused it; it can be resumed.
    case paused(FirmwareCandidate, FirmwareProgress)
    /// The update has ended, successfully or not.
    case ended(FirmwareCandidate, FirmwareOutcome)
  }

  /// How far an update is.
  public var stage = Stage.none
  /// The headphone's last report of its update; nil: not asked yet.
  public var status: FirmwareStatus?
  /// The update that an earlier run has begun; nil: none, or it goes on already.
  public var unfinished: InterruptedUpdate?

  public init() {}

  /// The image that is chosen.
  public var offer: FirmwareCandidate? {
    switch stage {
    case .none, .examining, .rejected: nil
    case .offered(let offer), .running(let offer, _), .paused(let offer, _), .ended(let offer, _):
      offer
    }
  }

  /// The interrupted update that can be continued.
  public var resumable: InterruptedUpdate? { unfinished?.file == .there ? unfinished : nil }

  /// The file that was chosen last, or by an earlier run; empty: none.
  public var path: String {
    switch stage {
    case .none: resumable?.path ?? ""
    case .examining(let path), .rejected(let path, _, _): path
    case .offered(let offer), .running(let offer, _), .paused(let offer, _), .ended(let offer, _):
      offer.path
    }
  }

  /// Whether an update is under way, with or without a link at this moment.
  public var isRunning: Bool {
    if case .running = stage { true } else { false }
  }
}

extension FirmwareTarget {
  /// The update target that this headphone reports.
  public init(_ headphone: HeadphoneState) {
    self.init(
      profile: headphone.driver,
      hardware: headphone.information.hardware.flatMap(Self.hardware(named:)),
      running: headphone.runningFirmware,
      batteries: headphone.battery?.value ?? [:], isUpdating: headphone.firmware.isRunning)
  }
}

extension HeadphoneState {
  /// The facts against which the update that is about to begin is checked.
  public var updateTarget: FirmwareTarget {
    var target = FirmwareTarget(self)
    // It is this update.
    target.isUpdating = false
    return target
  }

  /// The running version, where the headphone reports one.
  public var runningFirmware: FirmwareVersion? {
    firmware.status?.running ?? information.firmware.flatMap { FirmwareVersion($0) }
  }

  /// All that is looked at before the chosen image is sent.
  public var firmwareChecks: [FirmwareCheck] {
    guard let offer = firmware.offer else { return [] }
    return offer.manifest.checks(for: FirmwareTarget(self), offer.trust)
  }
}
