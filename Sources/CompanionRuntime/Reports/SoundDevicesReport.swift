package import AudioRoute
internal import Companion
internal import HeadphoneProtocols
package import JSON

package struct SoundDevicesReport: ObjectReport, Hashable {
  private struct Entry: JSONObject, Hashable {
    var device: SoundDevice
    var isOutput: Bool
    var headphone: String?
    var rule: AudioMatch.Rule?
    var isCertain: Bool?

    static let properties: [Property<Self>] = [
      Property("id", \.device.id.text),
      Property("name", \.device.description),
      Property("bluetooth", \.device.isBluetooth),
      Property("default", \.isOutput, "the sound goes there"),
      Property("headphone", \.headphone, "null: it belongs to none that is known"),
      Property("rule", \.rule, "by which it was matched"),
      Property("certain", \.isCertain, "false: only the name agrees"),
    ]
  }

  /// Why there are no devices, or nil if the sound server is running.
  private let reason: String?
  private let entries: [Entry]
  private let playing: [AudioProgram]

  init(_ state: State) {
    switch state.audio {
    case .unavailable(let why):
      reason = why.displayText
      (entries, playing) = ([], [])
    case .running(let sound):
      reason = nil
      playing = sound.playing
      entries = sound.devices.map { device in
        var entry = Entry(device: device, isOutput: device.sink?.name == sound.defaultSink)
        for headphone in state.headphones {
          guard let match = state.audioMatch(for: headphone),
            match.card == device.card, match.sink == device.sink
          else { continue }
          entry.headphone = headphone.name
          entry.rule = match.rule
          entry.isCertain = match.isCertain
        }
        return entry
      }
    }
  }

  package var text: String {
    if let reason { return "unknown (\(reason))" }
    return entries.map { entry in
      var line = "\(entry.isOutput ? "*" : " ") \(displayable(entry.device.id.text))  "
      line += displayable(entry.device.description)
      if let headphone = entry.headphone, let rule = entry.rule {
        line += "  = \(displayable(headphone)) (\(rule.rawValue))"
      }
      return line
    }.joined(separator: "\n")
  }

  package func text(_ style: TextStyle) -> String {
    guard style != .plain, reason == nil else { return text }
    return style.table(
      ["", "id", "name", "headphone"],
      entries.map { entry in
        let match = entry.rule.map { "\(displayable(entry.headphone ?? "")) (\($0.rawValue))" }
        return [
          entry.isOutput ? "*" : "", displayable(entry.device.id.text),
          displayable(entry.device.description), match ?? "",
        ]
      }, omitsEmpty: true)
  }

  package static let schemaName = SchemaName("audio", "`earshot audio --json`")

  package static let properties: [Property<Self>] = [
    Property("reason", \.reason, "why the state of the sound is unknown"),
    Property("devices", \.entries),
    Property("playing", \.playing, "the programs that play"),
  ]
}

extension AudioProgram: JSONObject {
  package static let properties: [Property<Self>] = [
    Property("name", \.name, "as the program calls itself"),
    Property("file", \.binary, "the name of its file; null: unknown"),
  ]
}
