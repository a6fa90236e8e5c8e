public import EventLoop
internal import Glibc
internal import Locking

/// A record of the sink that the sound server keeps suspended at this program's request.
///
/// A server does not resume it when the program is killed, and the sink would stay silent for all
/// other programs. So its name is written to a file of the state folder before it is suspended. The
/// file is locked as long as its writer lives: an unlocked file means that the writer was killed.
///
/// ```swift
/// let corked = CorkedSink(beside: known)
/// if let leftover = await corked.adoptLeftover() { resume(leftover) }
/// await corked.note(sink.name)
/// ```
public final class CorkedSink: Sendable {
  /// The state, protected by one lock.
  private struct State: ~Copyable {
    var file: OpenFile?
    var name: String?
  }

  private let file: PrivateFile
  private let io: FileIO
  private let state = Mutex(State())

  /// A record without a sink; opens nothing yet.
  ///
  /// - Parameters:
  ///   - known: the folder to use; virtual headphones have a file of their own.
  ///   - io: the thread on which the file is written.
  public init(beside known: KnownHeadphones, on io: FileIO = .shared) {
    file = known.folder.file("\(known.prefix)held-sink")
    self.io = io
  }

  /// The name of the suspended sink; `nil` if there is none.
  public var name: String? { state.withLock { $0.name } }

  /// Records a sink that is about to be suspended; in memory only if the file cannot be written.
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

  /// Records that the sink runs again.
  public func clear() async {
    await io.run { state.withLock { removeFile(&$0) } }
  }

  /// Takes over the sink that a killed program left suspended.
  ///
  /// - Returns: its name; `nil` if there is none, or if its program is still alive.
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
    // A process that waits for the lock then finds that the name belongs to another file.
    try? file.remove()
    state.file = nil
  }

  /// Opens and locks the file; false if another program that is alive has it.
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
