extension PacketDetail {
  /// "command 20, sequence 7, 9 bytes, error: …".
  public var words: String {
    var parts: [String] = []
    if let command { parts.append("command \(hexadecimalWords([command]))") }
    if let sequence { parts.append("sequence \(sequence)") }
    parts.append("\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes")")
    if let error { parts.append("error: \(error)") }
    return parts.joined(separator: ", ")
  }
}

extension LogLine {
  /// All of it in one line, as it is copied; unsanitised.
  public func words(name: String?, withBytes: Bool) -> String {
    var parts = ["\(at.clock) \(level) \(subsystem.rawValue)"]
    if let name { parts.append(name) }
    if let link { parts.append("(\(link.words))") }
    parts.append(text)
    if let packet {
      parts.append("[\(packet.words)]")
      if withBytes { parts.append(hexadecimalWords(packet.bytes)) }
    }
    return parts.joined(separator: " ")
  }
}
