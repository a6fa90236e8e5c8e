package import EventLoop
internal import Glibc
internal import Locking

/// A record of the sink that the sound server keeps suspended at this program's request.
///
/// A server does not resume the sink when the program is killed, so the name is written to a file
/// in the state folder before. The file is locked while its writer lives: an unlocked file means
/// that the writer was killed.
package final class CorkedSink: Sendable {
  private let file: PrivateFile
  private let io: FileIO
  /// The locked file, used only on the thread for files; a disk that hangs keeps this lock.
  private let opened = Mutex<OpenFile?>(nil)
  /// The sink's name, behind a separate lock that is never held during a call to the disk.
  private let suspended = Mutex<String?>(nil)

  /// Creates a record beside a file that virtual headphones do not share; opens nothing yet.
  package init(beside known: KnownHeadphones, on io: FileIO = .shared) {
    file = known.folder.file("\(known.prefix)held-sink")
    self.io = io
  }

  package var name: String? { suspended.withLock { $0 } }

  /// Records a sink before it is suspended; in memory only if the file cannot be written.
  package func note(_ sink: String) async {
    await io.run {
      opened.withLock { opened in
        suspended.withLock { $0 = sink }
        guard lockFile(&opened) else { return }
        try? opened?.truncate()
        try? opened?.write(Array(sink.utf8))
      }
    }
  }

  package func clear() async {
    await io.run { opened.withLock { removeFile(&$0) } }
  }

  /// Adopts the sink that a killed program left suspended, and returns its name, or nil.
  package func adoptLeftover() async -> String? {
    await io.run {
      opened.withLock { opened in
        guard name == nil, access(file.path, F_OK) == 0, lockFile(&opened) else { return nil }
        let bytes = (try? opened?.readAll(atMost: 4096)) ?? []
        guard !bytes.isEmpty else {
          removeFile(&opened)
          return nil
        }
        let sink = String(decoding: bytes, as: UTF8.self)
        suspended.withLock { $0 = sink }
        return sink
      }
    }
  }

  private func removeFile(_ opened: inout OpenFile?) {
    suspended.withLock { $0 = nil }
    guard opened != nil else { return }
    // A process that waits for the lock then finds that the name belongs to another file.
    try? file.remove()
    opened = nil
  }

  private func lockFile(_ opened: inout OpenFile?) -> Bool {
    if opened != nil { return true }
    do throws(FileError) {
      try file.makeFolder()
      let locked = try OpenFile(file.path, O_RDWR | O_CREAT | O_NOFOLLOW)
      guard try locked.lock(), locked.hasName else { return false }
      opened = consume locked
      return true
    } catch {
      return false
    }
  }
}
