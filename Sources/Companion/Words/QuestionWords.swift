import AudioRoute

extension State {
  /// What a question says: what happens, what is lost, how long it takes.
  public func words(for question: Question) -> String {
    switch question.subject {
    case .find(let id):
      "Let \(name(of: id)) sound loudly? Take both buds out of your ears first."
    case .forget(let id):
      "Forget \(name(of: id))? This machine no longer connects to it by itself; what it learnt "
        + "about the headphone is lost."
    case .switchProfile(let id, to: .handsFree):
      "Switch \(name(of: id)) to calls? Its microphone opens, and until you switch back all "
        + "sound has the quality of a telephone. It takes a second or two."
    case .switchProfile(let id, _):
      "Switch \(name(of: id)) to music? Its microphone closes: a call that uses it goes on "
        + "without. It takes a second or two."
    case .quitDuringUpdate:
      "Quit while the firmware is being updated? The update pauses and can be resumed."
    }
  }

  /// The headphone's name, unsanitised, or its address where it has none.
  public func name(of id: HeadphoneID) -> String {
    guard let headphone = headphones[id] else { return id.rawValue }
    return headphone.name.isEmpty ? headphone.address.text : headphone.name
  }
}
