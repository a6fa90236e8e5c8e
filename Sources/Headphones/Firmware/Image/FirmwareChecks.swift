public import FirmwareCrypto

/// What is known of the headphone before an update; nil where it does not tell.
public struct FirmwareTarget: Hashable, Sendable {
  public var hardware: UInt32?
  public var running: FirmwareVersion?
  /// The security counter of the image that runs.
  public var securityCounter: UInt32?
  /// The buds that the headphone has, with their charge.
  public var batteries: [Part: Battery]

  public init(
    hardware: UInt32? = nil, running: FirmwareVersion? = nil, securityCounter: UInt32? = nil,
    batteries: [Part: Battery] = [:]
  ) {
    self.hardware = hardware
    self.running = running
    self.securityCounter = securityCounter
    self.batteries = batteries
  }

  /// The hardware that a hardware revision names: "0xA102" or "41218"; nil for other text.
  public static func hardware(named revision: String) -> UInt32? {
    revision.hasPrefix("0x") ? UInt32(revision.dropFirst(2), radix: 16) : UInt32(revision)
  }
}

/// Whose firmware is trusted, and how far a person insists.
public struct FirmwarePolicy: Hashable, Sendable {
  /// The keys of this kind of headphone; the image must be signed by one of them.
  public var keys: [VerifyingKey]
  /// A person insists on an image that is not newer; the headphone decides.
  public var isForced: Bool

  public init(keys: [VerifyingKey], isForced: Bool = false) {
    self.keys = keys
    self.isForced = isForced
  }
}

extension FirmwareImage {
  /// All that forbids sending this image to this headphone, the gravest first; empty: nothing.
  ///
  /// What the headphone does not tell is left for it to refuse, but for the batteries: a bud of
  /// unknown charge may die in the middle.
  public func refusals(for target: FirmwareTarget, by policy: FirmwarePolicy) -> [FirmwareRefusal] {
    var refusals: [FirmwareRefusal] = []
    if policy.keys.isEmpty {
      refusals.append(.noTrustedKey)
    } else if !isSigned(byAnyOf: policy.keys) {
      refusals.append(.untrustedSignature)
    }
    if let hardware = target.hardware, hardware != manifest.hardware {
      refusals.append(.wrongHardware(image: manifest.hardware, headphone: hardware))
    }
    if let running = target.running, manifest.version <= running {
      refusals.append(.notNewer(image: manifest.version, running: running))
    }
    if let counter = target.securityCounter, manifest.securityCounter <= counter {
      refusals.append(.counterNotHigher(image: manifest.securityCounter, running: counter))
    }
    refusals += [Part.left, .right].compactMap { refusal(of: $0, target.batteries[$0]) }
    return policy.isForced ? refusals.filter { !$0.canBeForced } : refusals
  }

  private func refusal(of bud: Part, _ battery: Battery?) -> FirmwareRefusal? {
    // A headphone without this bud, or one whose bud charges.
    guard let battery, battery.isCharging != true, manifest.minimumBattery > 0 else { return nil }
    guard let level = battery.level else {
      return .batteryUnknown(bud, minimum: manifest.minimumBattery)
    }
    guard level < manifest.minimumBattery else { return nil }
    return .batteryTooLow(bud, level: level, minimum: manifest.minimumBattery)
  }
}
