internal import Glibc

/// The sink that the sound server holds because this program told it to.
///
/// A server does not undo that for a program that was killed, and the sink would be silent for
/// every other. So its name is in a file of the state folder before it is held. The file is locked
/// while its writer lives: an unlocked one is left of a program that did not come to its end.
final class CorkedSink {
  private let file: PrivateFile
  private var descriptor: Int32 = -1
  /// Nil: none is held.
  private(set) var name: String?

  /// - Parameter known: whose folder it is; virtual sinks have a file of their own.
  init(beside known: KnownHeadphones) {
    file = known.folder.file("\(known.prefix)held-sink")
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Notes a sink that is about to be held; without a note if the file cannot be had.
  func note(_ sink: String) {
    name = sink
    guard take() else { return }
    let bytes = Array(sink.utf8)
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// The sink was let go.
  func clear() {
    name = nil
    guard descriptor >= 0 else { return }
    // Whoever waits for the lock finds that the file is not the one with the name any more.
    unlink(file.path)
    close(descriptor)
    descriptor = -1
  }

  /// The sink that a dead program left held, which is this program's from now on; nil: none.
  func adoptLeftover() -> String? {
    guard name == nil, access(file.path, F_OK) == 0, take() else { return nil }
    let text = (try? file.read(atMost: 4096)).flatMap { $0 }.map {
      String(decoding: $0, as: UTF8.self)
    }
    guard let text, !text.isEmpty else {
      clear()
      return nil
    }
    name = text
    return text
  }

  /// Opens and locks the file; false: another program that lives has it.
  private func take() -> Bool {
    guard descriptor < 0 else { return true }
    guard (try? file.makeFolder()) != nil else { return false }
    let opened = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { return false }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0, isStill(opened) else {
      close(opened)
      return false
    }
    descriptor = opened
    return true
  }

  /// Whether the file that was locked is the one that has the name.
  private func isStill(_ opened: Int32) -> Bool {
    var own = stat()
    var named = stat()
    return fstat(opened, &own) == 0 && stat(file.path, &named) == 0 && own.st_ino == named.st_ino
  }
}
