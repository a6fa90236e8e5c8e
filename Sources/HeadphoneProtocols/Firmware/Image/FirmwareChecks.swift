internal import BluetoothCodec

/// The state of a headphone before an update; properties that it does not report are `nil`.
public struct FirmwareTarget: Hashable, Sendable {
  /// The name of its profile, which selects the trusted keys.
  public var profile: String?
  /// The hardware identifier, as in ``FirmwareManifest/hardware``.
  public var hardware: UInt32?
  /// The version of the firmware that is running.
  public var running: FirmwareVersion?
  /// The security counter of the firmware that is running.
  public var securityCounter: UInt32?
  /// The charge of the buds; a bud that is absent here is not checked.
  public var batteries: [Part: Battery]
  /// Whether an update of it is under way, in this program or another.
  public var isUpdating: Bool

  public init(
    profile: String? = nil, hardware: UInt32? = nil, running: FirmwareVersion? = nil,
    securityCounter: UInt32? = nil, batteries: [Part: Battery] = [:], isUpdating: Bool = false
  ) {
    self.profile = profile
    self.hardware = hardware
    self.running = running
    self.securityCounter = securityCounter
    self.batteries = batteries
    self.isUpdating = isUpdating
  }

  /// The hardware identifier in the text of the Hardware Revision String (2A27).
  ///
  /// ```swift
  /// FirmwareTarget.hardware(named: "0xA102")  // 41218
  /// FirmwareTarget.hardware(named: "41218")   // 41218
  /// FirmwareTarget.hardware(named: "rev B")   // nil
  /// ```
  public static func hardware(named revision: String) -> UInt32? {
    revision.hasPrefix("0x") ? UInt32(revision.dropFirst(2), radix: 16) : UInt32(revision)
  }

  /// A hardware identifier as it is displayed, such as "0x0000A102".
  public static func name(ofHardware hardware: UInt32) -> String {
    "0x" + hexadecimal(hardware, width: 8)
  }
}

/// The trusted keys, and whether a person overrides refusals.
public struct FirmwarePolicy: Hashable, Sendable {
  /// The trusted keys; the image must be signed by one that holds for the headphone's profile.
  public var keys: MakerKeys
  /// Whether a person insists on an image that is not newer; the headphone then decides.
  public var isForced: Bool

  public init(keys: MakerKeys, isForced: Bool = false) {
    self.keys = keys
    self.isForced = isForced
  }
}

extension FirmwareImage {
  /// All reasons not to send this image to this headphone, the most serious first.
  ///
  /// This is the gate in front of an update: nothing is sent unless the result is empty. The
  /// signature is verified here, against the keys of the policy.
  ///
  /// - Parameters:
  ///   - target: the headphone, as far as it is known.
  ///   - policy: the trusted keys. If it is forced, refusals that ``FirmwareRefusal/canBeForced``
  ///     allows are left out; others remain.
  public func refusals(for target: FirmwareTarget, by policy: FirmwarePolicy) -> [FirmwareRefusal] {
    let refusals = manifest.refusals(for: target, trust(in: policy.keys))
    return policy.isForced ? refusals.filter { !$0.canBeForced } : refusals
  }
}

extension FirmwareManifest {
  /// All reasons not to send the image to this headphone, the most serious first.
  ///
  /// A property that the headphone does not report is left for it to check, except for the
  /// batteries: a bud of unknown charge may run empty in the middle of the update.
  ///
  /// - Parameters:
  ///   - target: the headphone, as far as it is known.
  ///   - trust: the result of the signature check.
  public func refusals(for target: FirmwareTarget, _ trust: FirmwareTrust) -> [FirmwareRefusal] {
    FirmwareCheck.Subject.allCases.flatMap { refusals(on: $0, target, trust) }
  }

  /// The reasons of one subject.
  func refusals(
    on subject: FirmwareCheck.Subject, _ target: FirmwareTarget, _ trust: FirmwareTrust
  ) -> [FirmwareRefusal] {
    switch subject {
    case .otherUpdate: return target.isUpdating ? [.updateRunning] : []
    case .signature: return [trust.refusal(for: target.profile)].compactMap { $0 }
    case .hardware:
      guard let hardware = target.hardware, hardware != self.hardware else { return [] }
      return [.wrongHardware(image: self.hardware, headphone: hardware)]
    case .version:
      guard let running = target.running, version <= running else { return [] }
      return [.notNewer(image: version, running: running)]
    case .securityCounter:
      guard let counter = target.securityCounter, securityCounter <= counter else { return [] }
      return [.counterNotHigher(image: securityCounter, running: counter)]
    case .battery:
      return [Part.left, .right].compactMap { refusal(of: $0, target.batteries[$0]) }
    }
  }

  /// The reason that concerns the charge of a bud; `nil` if there is none.
  private func refusal(of bud: Part, _ battery: Battery?) -> FirmwareRefusal? {
    // There is no such bud, or it is charging.
    guard let battery, battery.isCharging != true, minimumBattery > 0 else { return nil }
    guard let level = battery.level else { return .batteryUnknown(bud, minimum: minimumBattery) }
    guard level < minimumBattery else { return nil }
    return .batteryTooLow(bud, level: level, minimum: minimumBattery)
  }
}
