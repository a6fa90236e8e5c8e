internal import EventLoop
internal import Glibc

/// A short text or a directory of /proc or /sys.
struct KernelFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// The whole text, at most 4 KiB; nil if it cannot be read.
  var text: String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
      guard case .done(let count) = systemCall({ read(file, room.baseAddress, room.count) }) else {
        return nil
      }
      return String(decoding: room[..<count], as: UTF8.self)
    }
  }

  var firstLine: String? { text.map { String($0.prefix { $0 != "\n" }) } }

  /// The names in a directory, in no order; none if it cannot be read.
  var entries: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      names.append(name)
    }
    return names
  }
}
