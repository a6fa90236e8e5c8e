import AudioRoute
import HeadphoneProtocols

extension State {
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

  mutating func handle(
    _ choice: SoundChoice, _ command: UserCommand, at timestamp: Timestamp
  ) -> [Effect] {
    var choice = choice
    switch command {
    case .back:
      dialog = nil
      return []
    case .accept:
      dialog = nil
      switch choice.options {
      case .devices(let devices):
        let device = devices.indices.contains(choice.line - 1) ? devices[choice.line - 1] : nil
        let effects = pin(device?.id, as: choice.headphone)
        guard !effects.isEmpty else { return [] }
        let text =
          device.map { "audio output set to \($0.description)" }
          ?? "audio output is matched automatically again"
        return say(text, choice.headphone, at: timestamp) + effects
      case .modes(let modes):
        guard modes.indices.contains(choice.line) else { return [] }
        return switchSound(of: choice.headphone, to: modes[choice.line], at: timestamp)
      case .microphones(let microphones):
        guard microphones.indices.contains(choice.line) else { return [] }
        return record(from: microphones[choice.line], at: timestamp)
      }
    default:
      guard let movement = command.movement else { break }
      choice.line = movement.index(from: choice.line, count: choice.lastLine + 1)
    }
    dialog = .soundChoice(choice)
    return []
  }

  mutating func pin(_ device: SoundDevice.ID?, as id: HeadphoneID) -> [Effect] {
    guard let before = headphones[id], before.soundPin != device else { return [] }
    headphones.update(id) { $0.soundPin = device }
    return keep(.soundPin, of: id)
  }
}
