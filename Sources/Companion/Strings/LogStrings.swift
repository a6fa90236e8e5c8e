extension PacketDetail {
  /// "command 20, sequence 7, 9 bytes, error: …".
  public var displayText: String {
    var parts: [String] = []
    if let command { parts.append("command \(hexadecimalText([command]))") }
    if let sequence { parts.append("sequence \(sequence)") }
    parts.append("\(bytes.count) \(bytes.count == 1 ? "byte" : "bytes")")
    if let error { parts.append("error: \(error)") }
    return parts.joined(separator: ", ")
  }
}

extension LogLine {
  /// All of it in one line, as it is copied; unsanitised.
  ///
  /// - Parameters:
  ///   - name: The headphone's name; nil: the line is about none.
  ///   - withBytes: Whether the bytes of a packet follow, in hexadecimal.
  public func displayText(name: String?, withBytes: Bool) -> String {
    var parts = ["\(at.clock) \(level) \(subsystem.rawValue)"]
    if let name { parts.append(name) }
    if let link { parts.append("(\(link.displayText))") }
    parts.append(name.map { text(after: $0) } ?? text)
    if let packet {
      parts.append("[\(packet.displayText)]")
      if withBytes { parts.append(hexadecimalText(packet.bytes)) }
    }
    return parts.joined(separator: " ")
  }

  /// What happened, without the headphone's name that the text may begin with: "is paired" of
  /// "Aurora Pro is paired".
  public func text(after name: String) -> String {
    for beginning in ["\(name): ", "\(name) "] where text.hasPrefix(beginning) {
      return String(text.dropFirst(beginning.count))
    }
    return text
  }
}
