public import EventLoop
internal import Glibc
internal import Synchronization

/// The sink that the sound server keeps suspended at this program's request.
///
/// A server does not undo that for a program that was killed, and the sink would stay silent for
/// every other. So its name is written to a file of the state folder before it is suspended. The
/// file is locked while its writer lives: an unlocked file means that the writer was killed.
public final class CorkedSink: Sendable {
  private struct State: ~Copyable {
    var file: OpenFile?
    var name: String?
  }

  private let file: PrivateFile
  private let io: FileIO
  private let state = Mutex(State())

  /// - Parameter known: the folder to use; virtual sinks have a file of their own.
  public init(beside known: KnownHeadphones, on io: FileIO = .shared) {
    file = known.folder.file("\(known.prefix)held-sink")
    self.io = io
  }

  /// The name of the sink; nil: none is suspended.
  public var name: String? { state.withLock { $0.name } }

  /// Notes a sink that is about to be suspended; without a file if that cannot be written.
  public func note(_ sink: String) async {
    await io.run {
      state.withLock { state in
        state.name = sink
        guard takeFile(&state) else { return }
        try? state.file?.truncate()
        try? state.file?.write(Array(sink.utf8))
      }
    }
  }

  /// Notes that the sink runs again.
  public func clear() async {
    await io.run { state.withLock { removeFile(&$0) } }
  }

  /// Takes over the sink that a killed program left suspended.
  ///
  /// - Returns: its name; nil: there is none.
  public func adoptLeftover() async -> String? {
    await io.run {
      state.withLock { state in
        guard state.name == nil, access(file.path, F_OK) == 0, takeFile(&state) else { return nil }
        let bytes = (try? state.file?.readAll(atMost: 4096)) ?? []
        guard !bytes.isEmpty else {
          removeFile(&state)
          return nil
        }
        state.name = String(decoding: bytes, as: UTF8.self)
        return state.name
      }
    }
  }

  private func removeFile(_ state: inout State) {
    state.name = nil
    guard state.file != nil else { return }
    // A process that waits for the lock finds that the name is another file's by then.
    try? file.remove()
    state.file = nil
  }

  /// Opens and locks the file; false: another program that lives has it.
  private func takeFile(_ state: inout State) -> Bool {
    if state.file != nil { return true }
    do throws(FileError) {
      try file.makeFolder()
      let opened = try OpenFile(file.path, O_RDWR | O_CREAT | O_NOFOLLOW)
      guard try opened.lock(), opened.hasName else { return false }
      state.file = consume opened
      return true
    } catch {
      return false
    }
  }
}
