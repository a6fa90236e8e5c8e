package import Companion
package import Logging

extension Logger {
  /// Writes a line of the app's log with its metadata; a packet's bytes only at level trace.
  package func write(_ line: LogLine) {
    var metadata: Logger.Metadata = ["part": "\(line.subsystem.rawValue)"]
    if let headphone = line.headphone { metadata["headphone"] = "\(headphone.rawValue)" }
    if let link = line.link { metadata["link"] = "\(link.name)" }
    if let sound = line.sound { metadata["sound"] = "\(sound.rawValue)" }
    if let packet = line.packet {
      metadata["length"] = "\(packet.bytes.count)"
      if let command = packet.command { metadata["command"] = "\(hexadecimalText([command]))" }
      if let sequence = packet.sequence { metadata["sequence"] = "\(sequence)" }
      if packet.error != nil { metadata["error"] = "yes" }
      let error = packet.error.map { ": \($0)" } ?? ""
      let bytes =
        line.level == .trace || logLevel == .trace ? ": \(hexadecimalText(packet.bytes))" : ""
      return log(level: Level(line.level), "\(line.text)\(error)\(bytes)", metadata: metadata)
    }
    log(level: Level(line.level), "\(line.text)", metadata: metadata)
  }
}

extension Logger.Level {
  init(_ level: LogLine.Level) {
    self =
      switch level {
      case .trace: .trace
      case .debug: .debug
      case .info: .info
      case .notice: .notice
      case .warning: .warning
      case .error: .error
      }
  }
}
