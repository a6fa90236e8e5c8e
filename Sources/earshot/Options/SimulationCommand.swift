import ArgumentParser
import AudioRoute
import BluetoothCodec
import Companion
import CompanionRuntime
import HeadphoneProtocols
import VirtualHeadphones

/// A line of input to `earshot simulate`: a headphone and an action.
///
/// ```
/// aurora in left            putInEar(.left)
/// aurora level right 15     setLevel(.right, 15)
/// aurora vanish             out of range, until "return"
/// aurora call Zoom          call("Zoom"), until "off"
/// ```
struct SimulationCommand {
  enum Kind {
    case life(SimulationEvent)
    case vanish, comeBack, drop
    /// A program uses the headphone's microphone, or none if nil.
    case call(String?)
    /// A program plays, or none if nil.
    case play(String?)

    func happen(to headphone: VirtualHeadphone, with sound: ScriptedAudioSource) async {
      switch self {
      case .life(let event): await headphone.happen(event)
      case .vanish: await headphone.setInRange(false)
      case .comeBack: await headphone.setInRange(true)
      case .drop: await headphone.dropLink()
      case .call(let program):
        guard let address = headphone.model.audioAddress else { return }
        sound.change { $0.call(program, address: address.description) }
      case .play(let program): sound.change { $0.play(program) }
      }
    }
  }

  let name: String
  let kind: Kind

  /// Parses a beginning of the headphone's name, a verb, and the verb's arguments.
  init?(_ line: String) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count >= 2, let kind = Kind(words[1], Array(words[2...])) else { return nil }
    name = words[0]
    self.kind = kind
  }
}

extension SimulationCommand.Kind {
  fileprivate init?(_ verb: String, _ words: [String]) {
    let side = words.first.flatMap(SideArgument.init(argument:))?.side
    switch (verb, words.count) {
    case ("vanish", 0): self = .vanish
    case ("return", 0): self = .comeBack
    case ("drop", 0): self = .drop
    case ("call", 1): self = .call(words[0] == Switch.off.rawValue ? nil : words[0])
    case ("play", 1): self = .play(words[0] == Switch.off.rawValue ? nil : words[0])
    case ("in", 1): guard let side else { return nil }; self = .life(.putInEar(side))
    case ("out", 1): guard let side else { return nil }; self = .life(.takeOut(side))
    case ("case", 1): guard let side else { return nil }; self = .life(.putIntoCase(side))
    case ("lid", 1):
      guard ["open", "closed"].contains(words[0]) else { return nil }
      self = .life(words[0] == "open" ? .openLid : .closeLid)
    case ("charger", 1):
      guard let state = Switch(rawValue: words[0]) else { return nil }
      self = .life(state == .on ? .plugIn : .unplug)
    case ("anc", 1):
      guard let mode = ANCMode.allCases.first(where: { $0.name == words[0] }) else { return nil }
      self = .life(.press(mode))
    case ("level", 2):
      guard let part = Part.allCases.first(where: { $0.name == words[0] }),
        let level = UInt8(words[1]), level <= 100
      else { return nil }
      self = .life(.setLevel(part, level))
    case ("touch", 2):
      guard let side, let gesture = GestureArgument(argument: words[1]) else { return nil }
      self = .life(.touch(side, gesture.gesture))
    default: return nil
    }
  }
}
