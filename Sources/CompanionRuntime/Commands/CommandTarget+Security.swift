package import Companion

extension CommandTarget {
  /// Examines this computer and, if one is chosen, the headphone, over its current links.
  package func examineSecurity() async -> SecurityFacts {
    await measureLink()
    await observeAudio()
    store.send(await effects.examineSecurity(of: id))
    return state.securityFacts(
      of: headphone, computer: state.computerSecurity ?? ComputerSecurityFacts())
  }
}
