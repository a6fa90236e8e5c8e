public import Bluetooth
public import BluetoothCodec
public import EventLoop
internal import Glibc
internal import Synchronization

/// The bonds of earlier runs, in a file that only its owner can read.
///
/// Other processes change the file too: each change here reads it again under a lock, and
/// ``changes()`` follows theirs.
public final class BondFile: BondStore {
  private struct Contents {
    var bonds: [Bond] = []
    /// The version of the file that `bonds` was read from; nil: none yet.
    var version: FileVersion?
    /// Changes that are not in the file yet, because it was locked or could not be written.
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

  /// Nil: bonds last as long as the program.
  private let list: ListFile?
  private let io: FileIO
  private let contents = Mutex(Contents())

  /// Reads nothing yet; the file need not exist.
  ///
  /// - Parameter io: where the file is read, written and locked.
  public init(in folder: StateFolder, on io: FileIO = .shared) {
    list = ListFile(file: folder.file("bonds.json"), key: "bonds", subject: "bonds")
    self.io = io
  }

  /// For virtual headphones: bonds in memory.
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
    // The link goes on: nobody waits for the disk here.
    Task { await flush() }
  }

  /// Writes what is not in the file yet; ``failure`` says why it is still not there.
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

  /// Yields after each change, also of other processes.
  ///
  /// The file is watched (inotify) as long as somebody iterates.
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

  /// Applies to the file what is not in it yet; what fails is tried again with the next change.
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
      // What cannot be understood is left as it is; the bonds last as long as the program.
      set { $0.failure = error }
    }
  }

  /// Sets the contents, and tells the watchers if the bonds have changed.
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

/// What changes when a file is replaced or written.
private struct FileVersion: Hashable {
  private let inode: ino_t
  private let length: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Of a file that does not exist, all numbers are 0.
  init(_ file: PrivateFile) {
    var status = stat()
    _ = stat(file.path, &status)
    inode = status.st_ino
    length = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
