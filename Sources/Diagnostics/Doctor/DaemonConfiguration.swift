internal import EventLoop
internal import Glibc

struct DaemonConfiguration: Hashable, Sendable {
  static let path = "/etc/bluetooth/main.conf"

  /// The values by section and key, all in lower case, for example "general.experimental".
  private var values: [String: String] = [:]

  /// Parses a file as GLib does: sections in brackets, keys with "=", comments with "#".
  init(_ text: String) {
    var section = ""
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.drop { $0.isWhitespace }
      if line.hasPrefix("#") || line.isEmpty { continue }
      if line.hasPrefix("[") {
        section = line.dropFirst().prefix { $0 != "]" }.lowercased()
        continue
      }
      guard let sign = line.firstIndex(of: "=") else { continue }
      let key = line[..<sign].filter { !$0.isWhitespace }.lowercased()
      values["\(section).\(key)"] = line[line.index(after: sign)...]
        .filter { !$0.isWhitespace }.lowercased()
    }
  }

  var isExperimental: Bool { values["general.experimental"] == "true" }
  var controllerMode: String { values["general.controllermode"] ?? "dual" }
  /// Whether other programs may write to services that bluetoothd's profiles claim (since 5.80).
  var sharesClaimed: Bool { values["gatt.exportclaimedservices"] == "read-write" }

  /// Returns the value of a key of `[General]`, in lower case, or nil if it is missing.
  func general(_ key: String) -> String? { values["general.\(key.lowercased())"] }
}

/// Returns the first 64 KiB of a file as text, or nil if it cannot be read.
func text(at path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let result = bytes.withUnsafeMutableBytes { room in
    systemCall { read(descriptor, room.baseAddress, room.count) }
  }
  guard case .done(let count) = result else { return nil }
  return String(decoding: bytes[..<count], as: UTF8.self)
}
