public import Bluetooth
public import BluetoothCodec
public import EventLoop
internal import Glibc
internal import Synchronization

/// The keys of bonded devices: in memory, and in a file that only its owner can read.
///
/// Writing is deferred, because ``keep(_:of:)`` is called on the thread that polls the links, which
/// must not wait for a disk. A change is applied to the copy in memory at once, and queued. The
/// thread for files then applies the queue to the file: it locks the file, reads it (another
/// process may have written), changes, writes and syncs it. A change that fails stays queued for
/// the next attempt. ``flush()`` returns when the queue was tried, and ``failure`` says why it is
/// not empty; a pairing is reported as done after that.
///
/// ```swift
/// let bonds = BondFile(in: StateFolder())
/// bonds.keep(key, of: adapter.address)
/// await bonds.flush()
/// if let failure = bonds.failure { warn("\(failure)") }
/// ```
public final class BondFile: BondStore {
  private struct Contents {
    var bonds: [Bond] = []
    /// The version of the file that `bonds` was read from; nil: none yet.
    var version: FileVersion?
    /// Queued changes, in order: applied to `bonds`, and not in the file yet.
    var unsaved: [Change] = []
    var failure: FileError?
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var watcherCount = 0
    /// Follows the file while there are watchers.
    var following: Task<Void, Never>?
  }

  fileprivate enum Change {
    case keep(BondKey, BluetoothAddress)
    case drop(PeerAddress)
  }

  /// The file; nil: bonds live in memory only.
  private let list: ListFile?
  private let io: FileIO
  private let contents = Mutex(Contents())

  /// Opens nothing yet; the file need not exist.
  ///
  /// - Parameter io: the thread on which the file is read, written and locked.
  public init(in folder: StateFolder, on io: FileIO = .shared) {
    list = ListFile(file: folder.file("bonds.json"), key: "bonds", subject: "bonds")
    self.io = io
  }

  /// Bonds in memory only, for virtual headphones.
  public init() {
    list = nil
    io = .shared
  }

  deinit { contents.withLock { $0.following?.cancel() } }

  /// The bonds as they were last read or changed; empty before the first ``bonds()``.
  public var cachedBonds: [Bond] { contents.withLock { $0.bonds } }

  /// All bonds; the file is read again only if it has changed.
  ///
  /// What cannot be read leaves the bonds that are known, and is in ``failure``.
  public func bonds() async -> [Bond] {
    guard let list else { return cachedBonds }
    await io.run { refresh(from: list) }
    return cachedBonds
  }

  /// Stores a key; ``failure`` says why it is not in the file.
  public func keep(_ key: BondKey, of adapter: BluetoothAddress) {
    apply(.keep(key, adapter))
    guard list != nil else { return }
    // The caller's thread polls the links: it must not wait for the disk.
    Task { await flush() }
  }

  /// Writes the queued changes, and returns when they are on the disk, or ``failure`` is set.
  public func flush() async {
    guard let list else { return }
    await io.run {
      if contents.withLock({ !$0.unsaved.isEmpty }) { save(to: list) }
    }
  }

  /// Removes a device; ``failure`` says why it is still in the file.
  public func drop(_ identity: PeerAddress) async {
    apply(.drop(identity))
    await flush()
  }

  /// Why the last attempt to read or write the file failed; nil: it did not.
  public var failure: FileError? { contents.withLock { $0.failure } }

  /// A stream that yields after each change of the bonds or of ``failure``, also by another
  /// process.
  ///
  /// The file is watched (inotify) while there is a consumer.
  public func changes() -> AsyncStream<Void> {
    let (changes, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = contents.withLock { contents in
      contents.watcherCount += 1
      contents.watchers[contents.watcherCount] = watcher
      if contents.following == nil { contents.following = follow() }
      return contents.watcherCount
    }
    watcher.onTermination = { [weak self] _ in
      self?.contents.withLock { contents in
        contents.watchers[number] = nil
        guard contents.watchers.isEmpty else { return }
        contents.following?.cancel()
        contents.following = nil
      }
    }
    return changes
  }

  private func follow() -> Task<Void, Never>? {
    guard let list else { return nil }
    return Task { [weak self, io] in
      for await _ in io.loop.changes(ofFile: list.file.path) {
        guard let self else { return }
        await io.run { refresh(from: list) }
      }
    }
  }

  // MARK: On the thread of files

  private func refresh(from list: ListFile) {
    let version = FileVersion(list.file)
    guard contents.withLock({ $0.version != version || !$0.unsaved.isEmpty }) else { return }
    do throws(FileError) {
      let stored = try list.bonds()
      set(version) { contents in
        contents.bonds = contents.unsaved.reduce(into: stored) { $0.apply($1) }
        contents.failure = nil
      }
    } catch {
      set(version) { $0.failure = error }
    }
    if contents.withLock({ !$0.unsaved.isEmpty }) { save(to: list) }
  }

  private func apply(_ change: Change) {
    set { contents in
      contents.bonds.apply(change)
      if list != nil { contents.unsaved.append(change) }
    }
  }

  /// Applies the queue to the file; on failure it stays queued.
  private func save(to list: ListFile) {
    let unsaved = contents.withLock { $0.unsaved }
    do throws(FileError) {
      let (bonds, version) = try list.file.withLock { () throws(FileError) in
        let before = try list.bonds()
        var bonds = before
        for change in unsaved { bonds.apply(change) }
        if bonds != before { try list.write(bonds.map(\.json)) }
        return (bonds, FileVersion(list.file))
      }
      set(version) { contents in
        contents.unsaved.removeFirst(unsaved.count)
        contents.bonds = contents.unsaved.reduce(into: bonds) { $0.apply($1) }
        contents.failure = nil
      }
    } catch {
      // An unreadable file is left alone; the bonds live as long as this process.
      set { $0.failure = error }
    }
  }

  /// Changes the contents, and notifies the watchers if bonds or failure differ.
  private func set(_ version: FileVersion? = nil, _ body: (inout Contents) -> Void) {
    let watchers = contents.withLock { contents in
      let (before, failure) = (contents.bonds, contents.failure)
      body(&contents)
      if let version { contents.version = version }
      let isNews = contents.bonds != before || contents.failure != failure
      return isNews ? Array(contents.watchers.values) : []
    }
    for watcher in watchers { watcher.yield() }
  }
}

extension [Bond] {
  fileprivate mutating func apply(_ change: BondFile.Change) {
    switch change {
    case .keep(let key, let adapter):
      let identity = key.identity
      let index = firstIndex { $0.adapter == adapter && $0.identity == identity }
      var bond = index.map { self[$0] } ?? Bond(adapter: adapter, identity: identity)
      bond.take(key)
      if let index { self[index] = bond } else { append(bond) }
    case .drop(let identity): removeAll { $0.identity == identity }
    }
  }
}

extension ListFile {
  fileprivate func bonds() throws(FileError) -> [Bond] { try items().compactMap(Bond.init(json:)) }
}

/// The identity of one version of a file.
private struct FileVersion: Hashable {
  private let inode: ino_t
  private let length: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// All zero for a file that does not exist.
  init(_ file: PrivateFile) {
    var status = stat()
    _ = stat(file.path, &status)
    inode = status.st_ino
    length = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
