public import Companion

extension [Finding] {
  /// What the doctor ends with.
  public var exitStatus: ExitStatus {
    let problems = filter { $0.state == .problem }
    return problems.isEmpty
      ? .ok : problems.contains(where: \.check.isAboutRadio) ? .noAdapter : .failed
  }
}
