internal import EventLoop
internal import Glibc

struct KernelFile {
  private let path: String

  init(_ path: String) { self.path = path }

  var text: String? { text(blocks: 1) }

  /// Returns the text of at most `blocks` blocks of 4 KiB, or nil if it cannot be read.
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

  var firstLine: String? { text.map { String($0.prefix { $0 != "\n" }) } }

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
