internal import EventLoop
internal import Glibc
internal import Persistence

/// The power supply of this machine (Linux power supply class).
struct PowerSupply {
  /// The kernel's folder, or one like it.
  var folder = "/sys/class/power_supply"

  /// Whether a battery of the machine discharges; those of mice and headphones do not count.
  ///
  /// Reading waits for the kernel's drivers: to be called on ``/EventLoop/FileIO``.
  func isOnBattery() -> Bool {
    names.contains { name in
      read(name, "type") == "Battery" && read(name, "scope") != "Device"
        && read(name, "status") == "Discharging"
    }
  }

  /// The supplies, at most 64.
  private var names: [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < 64, let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      names.append(String(decoding: bytes, as: UTF8.self))
    }
    return names.filter { !$0.hasPrefix(".") }
  }

  /// The line of an attribute; nil: there is none.
  private func read(_ name: String, _ attribute: String) -> String? {
    let file = PrivateFile(path: "\(folder)/\(name)/\(attribute)")
    guard let bytes = try? file.read(atMost: 1 << 16) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
