/// A check of an image against a headphone before an update, with its result.
public struct FirmwareCheck: Hashable, Sendable {
  /// The subjects, from the most to the least serious.
  public enum Subject: Hashable, Sendable, CaseIterable {
    case otherUpdate, signature, hardware, version, securityCounter, battery
  }

  /// The result of a check.
  public enum Finding: Hashable, Sendable {
    case passed
    /// The headphone does not report the value, and decides itself before the first byte.
    case leftToHeadphone
    /// The image fails; the user may override some refusals (``FirmwareRefusal/canBeForced``).
    case refused(FirmwareRefusal)
  }

  public var subject: Subject
  public var finding: Finding

  public init(_ subject: Subject, _ finding: Finding) {
    self.subject = subject
    self.finding = finding
  }

  /// The refusal, or nil if there is none.
  public var refusal: FirmwareRefusal? {
    if case .refused(let refusal) = finding { refusal } else { nil }
  }
}

extension FirmwareManifest {
  /// Returns all relevant checks, including those that pass; each bud's battery may fail.
  public func checks(for target: FirmwareTarget, _ trust: FirmwareTrust) -> [FirmwareCheck] {
    FirmwareCheck.Subject.allCases.flatMap { subject in
      let refusals = refusals(on: subject, target, trust)
      guard refusals.isEmpty else { return refusals.map { FirmwareCheck(subject, .refused($0)) } }
      return finding(on: subject, target).map { [FirmwareCheck(subject, $0)] } ?? []
    }
  }

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

  /// Returns the result of a check, as a sentence without a full stop.
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
    case .signature: "file intact, signed with a trusted key"
    case .hardware: "it is for this hardware, \(FirmwareTarget.name(ofHardware: hardware))"
    case .version: "\(version) is newer than the installed version"
    case .securityCounter: "its security counter, \(securityCounter), is higher"
    case .battery: "each bud has \(minimumBattery) % or more, or is charging"
    }
  }

  private func leftText(_ subject: FirmwareCheck.Subject) -> String {
    switch subject {
    case .hardware:
      "for hardware \(FirmwareTarget.name(ofHardware: hardware)): the headphone checks it"
    case .version: "version \(version): the headphone checks whether it is newer"
    default: "security counter \(securityCounter): the headphone checks it"
    }
  }
}
