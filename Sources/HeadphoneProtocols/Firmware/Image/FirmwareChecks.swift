internal import BluetoothCodec

/// What is known of the headphone before an update; nil where it does not tell.
public struct FirmwareTarget: Hashable, Sendable {
  /// The name of its profile: whose keys count.
  public var profile: String?
  /// The kind of hardware, as a manifest numbers it.
  public var hardware: UInt32?
  /// The firmware that runs now.
  public var running: FirmwareVersion?
  /// The security counter of the image that runs.
  public var securityCounter: UInt32?
  /// The buds that the headphone has, with their charge.
  public var batteries: [Part: Battery]
  /// An update of it is under way, here or in another program.
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

  /// The hardware that a hardware revision names: "0xA102" or "41218"; nil for other text.
  public static func hardware(named revision: String) -> UInt32? {
    revision.hasPrefix("0x") ? UInt32(revision.dropFirst(2), radix: 16) : UInt32(revision)
  }

  /// "0x0000A102": hardware as it is named wherever it is shown.
  public static func name(ofHardware hardware: UInt32) -> String {
    "0x" + hexadecimal(hardware, width: 8)
  }
}

/// Whose firmware is trusted, and how far a person insists.
public struct FirmwarePolicy: Hashable, Sendable {
  /// One of those for the headphone's kind must have signed the image.
  public var keys: MakerKeys
  /// A person insists on an image that is not newer; the headphone decides.
  public var isForced: Bool

  public init(keys: MakerKeys, isForced: Bool = false) {
    self.keys = keys
    self.isForced = isForced
  }
}

extension FirmwareImage {
  /// All that forbids sending this image to this headphone, the gravest first; empty: nothing.
  public func refusals(for target: FirmwareTarget, by policy: FirmwarePolicy) -> [FirmwareRefusal] {
    let refusals = manifest.refusals(for: target, trust(in: policy.keys))
    return policy.isForced ? refusals.filter { !$0.canBeForced } : refusals
  }
}

extension FirmwareManifest {
  /// All that forbids sending the image to this headphone, the gravest first; empty: nothing.
  ///
  /// What the headphone does not tell is left for it to refuse, but for the batteries: a bud of
  /// unknown charge may die in the middle.
  public func refusals(for target: FirmwareTarget, _ trust: FirmwareTrust) -> [FirmwareRefusal] {
    FirmwareCheck.Subject.allCases.flatMap { refusals(on: $0, target, trust) }
  }

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

  private func refusal(of bud: Part, _ battery: Battery?) -> FirmwareRefusal? {
    // A headphone without this bud, or one whose bud charges.
    guard let battery, battery.isCharging != true, minimumBattery > 0 else { return nil }
    guard let level = battery.level else { return .batteryUnknown(bud, minimum: minimumBattery) }
    guard level < minimumBattery else { return nil }
    return .batteryTooLow(bud, level: level, minimum: minimumBattery)
  }
}
