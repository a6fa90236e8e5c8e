internal import EventLoop
internal import Glibc

/// A short text or a directory of /proc or /sys.
struct KernelFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// The whole text, at most 4 KiB; nil if it cannot be read.
  var text: String? { text(blocks: 1) }

  /// The text in blocks of at most 4 KiB, as the kernel returns it; `nil` if it cannot be read.
  ///
  /// - Parameter blocks: the maximum number of blocks.
  func text(blocks: Int) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
      var bytes: [UInt8] = []
      for _ in 0..<blocks {
        guard case .done(let count) = systemCall({ read(file, room.baseAddress, room.count) })
        else { return nil }
        guard count > 0 else { break }
        bytes += room[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The text up to its first line feed; `nil` if it cannot be read.
  var firstLine: String? { text.map { String($0.prefix { $0 != "\n" }) } }

  /// The names in a directory, unsorted; empty if it cannot be read.
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
