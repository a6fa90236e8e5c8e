import AudioRoute
import HeadphoneProtocols

extension State {
  /// Opens the list from which the user pins the selected headphone's sound device.
  mutating func askForSoundDevice(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return [] }
    switch audio {
    case .unavailable(let reason):
      return say(
        "no audio outputs to choose from: \(reason.displayText)", headphone.id, at: timestamp)
    case .running(let sound):
      let devices = sound.devices
      let pinned = devices.firstIndex { $0.id == headphone.soundPin }
      dialog = .soundChoice(
        SoundChoice(
          headphone: headphone.id, options: .devices(devices), line: pinned.map { $0 + 1 } ?? 0))
      return []
    }
  }

  mutating func answer(
    _ choice: SoundChoice, _ command: UserCommand, at timestamp: Timestamp
  ) -> [Effect] {
    var choice = choice
    switch command {
    case .up, .pageUp: choice.line = max(0, choice.line - 1)
    case .down, .pageDown: choice.line = min(choice.lastLine, choice.line + 1)
    case .top: choice.line = 0
    case .bottom: choice.line = choice.lastLine
    case .back:
      dialog = nil
      return []
    case .accept:
      dialog = nil
      switch choice.options {
      case .devices(let devices):
        let device = devices.indices.contains(choice.line - 1) ? devices[choice.line - 1] : nil
        return pin(device, as: choice.headphone, at: timestamp)
      case .modes(let modes):
        guard modes.indices.contains(choice.line) else { return [] }
        return switchSound(of: choice.headphone, to: modes[choice.line], at: timestamp)
      }
    default: break
    }
    dialog = .soundChoice(choice)
    return []
  }

  private mutating func pin(
    _ device: SoundDevice?, as id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let before = headphones[id], before.soundPin != device?.id else { return [] }
    headphones.update(id) { $0.soundPin = device?.id }
    guard let headphone = headphones[id] else { return [] }
    let text =
      device.map { "audio output set to \($0.description)" }
      ?? "audio output is matched automatically again"
    return say(text, id, at: timestamp) + [.keepSoundPin(KnownHeadphone(headphone))]
  }
}
