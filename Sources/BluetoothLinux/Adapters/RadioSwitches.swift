internal import Descriptors
internal import Glibc

/// The kernel's radio switches: who may not transmit, by software or by a button of the machine.
struct RadioSwitches: Sendable {
  /// One directory for each switch, with files `name`, `type`, `soft` and `hard`.
  var directory = "/sys/class/rfkill"

  /// Whether a Bluetooth switch of this name blocks; nil: any Bluetooth switch.
  ///
  /// A laptop's own switch has another name than the adapter, which vanishes when it is off.
  func isBlocked(_ adapter: String? = nil) -> Bool {
    entries(of: directory).contains { entry in
      let path = "\(directory)/\(entry)"
      guard firstLine(of: "\(path)/type") == "bluetooth" else { return false }
      if let adapter, firstLine(of: "\(path)/name") != adapter { return false }
      return firstLine(of: "\(path)/soft") == "1" || firstLine(of: "\(path)/hard") == "1"
    }
  }

  private func entries(of directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix("rfkill") { names.append(name) }
    }
    return names
  }

  /// Nil if there is no such file; these files are shorter than a line of a screen.
  private func firstLine(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { room in
      guard case .done(let count) = systemCall({ read(file, room.baseAddress, room.count) }) else {
        return nil
      }
      let line = room[..<count].prefix { $0 != UInt8(ascii: "\n") }
      return String(decoding: line, as: UTF8.self)
    }
  }
}
