extension PairedDevice {
  fileprivate var words: String {
    let words: [String?] = [
      "\(address)", title, isConnected ? "connected" : nil, isPlaying == true ? "playing" : nil,
      isPreferred == true ? "preferred" : nil, isThisComputer == true ? "this-computer" : nil,
    ]
    return words.compactMap(\.self).joined(separator: " ")
  }
}

extension HeadphoneEvent {
  /// The event in words, such as "battery left 80, right 75", as recordings write it.
  package var words: String {
    switch self {
    case .batteryChanged(let parts):
      "battery "
        + parts.sorted { $0.key.rawValue < $1.key.rawValue }.map { part, battery in
          let level = battery.step.map { "step \($0)" } ?? battery.level.map { "\($0)" } ?? "?"
          let charging = battery.isCharging.map { $0 ? " charging" : " not charging" } ?? ""
          return "\(part) \(level)\(charging)"
        }.joined(separator: ", ")
    case .wearingChanged(let wearing):
      switch (wearing.left, wearing.right) {
      case (true?, true?): "worn both"
      case (false?, false?): "worn none"
      case (let left, let right):
        "worn left \(left.map { "\($0)" } ?? "?"), right \(right.map { "\($0)" } ?? "?")"
      }
    case .ancChanged(let mode): "noise-mode \(mode.name)"
    case .ancLevelChanged(let level): "ambient-level \(level)"
    case .eqChanged(_, let bands):
      "bands " + (bands ?? []).map { "\(Int($0.halfDecibels) / 2)" }.joined(separator: ",")
    case .volumeChanged(let volume): "volume \(volume.level)"
    case .settingChanged(let id, .pairedDevices(let devices)):
      "\(id.rawValue) " + devices.map(\.words).joined(separator: ", ")
    case .settingChanged(let id, let value): "\(id.rawValue) \(value.text)"
    case .caseLidChanged(let isOpen): isOpen ? "lid open" : "lid closed"
    case .findChanged(let sides): "find \(sides.rawValue)"
    case .malformed: "malformed"
    case .unknown: "unknown"
    default: "\(self)"
    }
  }
}
