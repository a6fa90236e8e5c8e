internal import BluetoothCodec

/// The state of a headphone before an update; unreported values are nil.
public struct FirmwareTarget: Hashable, Sendable {
  /// The name of its profile, which selects the trusted keys.
  public var profile: String?
  /// The hardware identifier, as in ``FirmwareManifest/hardware``.
  public var hardware: UInt32?
  /// The running version.
  public var running: FirmwareVersion?
  /// The security counter of the running firmware.
  public var securityCounter: UInt32?
  /// The charges of the buds; a missing bud is not checked.
  public var batteries: [Part: Battery]
  /// Whether an update is in progress, in this program or another.
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

  /// Returns the hardware identifier in a Hardware Revision String (2A27), or nil.
  ///
  /// ```swift
  /// FirmwareTarget.hardware(named: "0xA102")  // 41218
  /// FirmwareTarget.hardware(named: "41218")   // 41218
  /// FirmwareTarget.hardware(named: "rev B")   // nil
  /// ```
  public static func hardware(named revision: String) -> UInt32? {
    revision.hasPrefix("0x") ? UInt32(revision.dropFirst(2), radix: 16) : UInt32(revision)
  }

  /// Returns eight hexadecimal digits: "0x0000A102".
  public static func name(ofHardware hardware: UInt32) -> String {
    "0x" + hexadecimal(hardware, width: 8)
  }
}

extension FirmwareManifest {
  /// Returns all reasons not to send this image, the most serious first.
  ///
  /// The headphone checks what it does not report, except for the batteries: a bud of unknown
  /// charge may run empty during the update.
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
    // The bud does not exist, or is charging.
    guard let battery, battery.isCharging != true, minimumBattery > 0 else { return nil }
    guard let level = battery.level else { return .batteryUnknown(bud, minimum: minimumBattery) }
    guard level < minimumBattery else { return nil }
    return .batteryTooLow(bud, level: level, minimum: minimumBattery)
  }
}
