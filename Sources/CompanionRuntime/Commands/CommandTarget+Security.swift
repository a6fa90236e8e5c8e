package import Companion

extension CommandTarget {
  /// Examines this computer and the headphone, over the links that it has now.
  ///
  /// - Returns: the facts; without a headphone those of the computer alone.
  package func examineSecurity() async -> SecurityFacts {
    await measureLink()
    await observeAudio()
    store.send(await effects.examineSecurity(of: id))
    return state.securityFacts(
      of: headphone, computer: state.computerSecurity ?? ComputerSecurityFacts())
  }
}
