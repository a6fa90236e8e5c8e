internal import EventLoop
internal import Glibc
internal import Persistence

struct PowerSupply {
  var folder = "/sys/class/power_supply"

  /// Returns whether a battery of the machine is discharging; those of peripherals do not count.
  ///
  /// Reading may wait for drivers: call this method on ``/EventLoop/FileIO``.
  func isOnBattery() -> Bool {
    names.contains { name in
      read(name, "type") == "Battery" && read(name, "scope") != "Device"
        && read(name, "status") == "Discharging"
    }
  }

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

  private func read(_ name: String, _ attribute: String) -> String? {
    let file = PrivateFile(path: "\(folder)/\(name)/\(attribute)")
    guard let bytes = try? file.read(atMost: 1 << 16) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
