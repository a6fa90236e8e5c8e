/// One thing that is looked at before an image is sent, and what was found.
public struct FirmwareCheck: Hashable, Sendable {
  /// What is looked at, the gravest first.
  public enum Subject: Hashable, Sendable, CaseIterable {
    case otherUpdate, signature, hardware, version, securityCounter, battery
  }

  /// What came of a check.
  public enum Finding: Hashable, Sendable {
    case passed
    /// The headphone does not tell: it decides itself, before the first byte.
    case leftToHeadphone
    /// Why not; some of it a person may force.
    case refused(FirmwareRefusal)
  }

  public var subject: Subject
  public var finding: Finding

  public init(_ subject: Subject, _ finding: Finding) {
    self.subject = subject
    self.finding = finding
  }

  /// Why not; nil: this is no obstacle.
  public var refusal: FirmwareRefusal? {
    if case .refused(let refusal) = finding { refusal } else { nil }
  }
}

extension FirmwareManifest {
  /// What a person is shown before an update: all that was looked at.
  public func checks(for target: FirmwareTarget, _ trust: FirmwareTrust) -> [FirmwareCheck] {
    FirmwareCheck.Subject.allCases.flatMap { subject in
      let refusals = refusals(on: subject, target, trust)
      guard refusals.isEmpty else { return refusals.map { FirmwareCheck(subject, .refused($0)) } }
      return finding(on: subject, target).map { [FirmwareCheck(subject, $0)] } ?? []
    }
  }

  /// What is said of a subject that is no obstacle; nil: nothing.
  private func finding(
    on subject: FirmwareCheck.Subject, _ target: FirmwareTarget
  ) -> FirmwareCheck.Finding? {
    switch subject {
    case .otherUpdate: nil
    case .signature: .passed
    case .hardware: target.hardware == nil ? .leftToHeadphone : .passed
    case .version: target.running == nil ? .leftToHeadphone : .passed
    case .securityCounter: target.securityCounter == nil ? .leftToHeadphone : .passed
    case .battery: minimumBattery == 0 ? nil : .passed
    }
  }

  /// What a check has found, in a sentence without its full stop.
  public func displayText(for check: FirmwareCheck) -> String {
    switch check.finding {
    case .refused(let refusal): refusal.explanation
    case .passed: passedText(check.subject)
    case .leftToHeadphone: leftText(check.subject)
    }
  }

  private func passedText(_ subject: FirmwareCheck.Subject) -> String {
    switch subject {
    case .otherUpdate: "no other update is under way"
    case .signature: "the file is whole, and a trusted key has signed it"
    case .hardware: "it is for this hardware, \(FirmwareTarget.name(ofHardware: hardware))"
    case .version: "\(version) is newer than what runs"
    case .securityCounter: "its security counter, \(securityCounter), is higher"
    case .battery: "each bud has \(minimumBattery) % or more, or charges"
    }
  }

  private func leftText(_ subject: FirmwareCheck.Subject) -> String {
    switch subject {
    case .hardware:
      "it is for hardware \(FirmwareTarget.name(ofHardware: hardware)); the headphone decides"
    case .version: "it is \(version); the headphone decides whether that is newer"
    default: "its security counter is \(securityCounter); the headphone decides"
    }
  }
}
