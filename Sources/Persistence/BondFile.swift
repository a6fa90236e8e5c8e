package import BluetoothCodec
internal import BluetoothRadio
package import EventLoop
internal import Glibc
internal import JSON
internal import Locking

/// The keys of bonded devices: in memory, and in a file that only its owner can read.
///
/// ``keep(_:of:)`` is called on the thread that polls the links, which must not wait for a disk. A
/// change is applied in memory at once and queued. The thread for files then locks the file, reads
/// it again (another process may have written), applies the queue, and writes and syncs the file. A
/// change that fails stays queued for the next attempt.
///
/// Its methods may be called from any thread. Other processes' changes are noticed only by
/// ``bonds()``, unless ``changes()`` is in use.
package final class BondFile: BondStore {
  private struct Contents {
    var bonds: [Bond] = []
    /// The version of the file that `bonds` was read from, or nil before the first read.
    var version: FileVersion?
    /// The queued changes in order, which are applied to `bonds` but not yet in the file.
    var unsaved: [Change] = []
    var failure: FileError?
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var watcherCount = 0
    var following: Task<Void, Never>?
  }

  fileprivate enum Change {
    case keep(BondKey, BluetoothAddress)
    case drop(PeerAddress)

    func drops(_ item: JSON) -> Bool {
      guard case .drop(let identity) = self else { return false }
      return item["address"]?.text == identity.address.description
    }
  }

  /// The time for which a caller with known bonds waits for the disk.
  private static let timeout = Duration.seconds(5)

  private let list: ListFile?
  private let io: FileIO
  private let contents = Mutex(Contents())

  /// Creates a store in the "bonds.json" of a folder, which need not exist; opens nothing yet.
  package init(in folder: StateFolder, on io: FileIO = .shared) {
    list = ListFile(file: folder.file("bonds.json"), key: "bonds", subject: "bonds")
    self.io = io
  }

  /// Creates a store in memory only, for virtual headphones.
  package init() {
    list = nil
    io = .shared
  }

  deinit { contents.withLock { $0.following?.cancel() } }

  /// The bonds as last read or changed, without waiting for the disk; empty before ``bonds()``.
  package var cachedBonds: [Bond] { contents.withLock { $0.bonds } }

  /// Returns all bonds, and reads the file again only if it has changed.
  ///
  /// If the file cannot be read or the disk stalls, the known bonds stay. Only the first call waits
  /// without a limit, because no bonded device can be reached without its key.
  package func bonds() async -> [Bond] {
    guard let list else { return cachedBonds }
    if contents.withLock({ $0.version == nil }) {
      await io.run { refresh(from: list) }
    } else {
      _ = await io.run(within: Self.timeout) { self.refresh(from: list) }
    }
    return cachedBonds
  }

  /// Stores a key of `adapter` in memory now and in the file soon, or else sets ``failure``.
  package func keep(_ key: BondKey, of adapter: BluetoothAddress) {
    apply(.keep(key, adapter))
    guard list != nil else { return }
    // The caller's thread polls the links, so it must not wait for the disk.
    Task { await flush() }
  }

  /// Writes the queued changes, and returns when they are on the disk or ``failure`` is set.
  package func flush() async {
    guard let list else { return }
    await io.run {
      if contents.withLock({ !$0.unsaved.isEmpty }) { save(to: list) }
    }
  }

  /// Removes a device's bonds with all adapters; ``failure`` is set if they are still in the file.
  package func drop(_ identity: PeerAddress) async {
    apply(.drop(identity))
    await flush()
  }

  /// The error of the last attempt to read or write the file, or nil if it succeeded.
  package var failure: FileError? { contents.withLock { $0.failure } }

  /// Yields after each change of the bonds or of ``failure``, also by another process (inotify).
  package func changes() -> AsyncStream<Void> {
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

  /// Reads the file if it has changed, and saves the queue; called on the thread for files.
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
      // The version is not set, so that the next call reads the file again.
      set { $0.failure = error }
    }
    if contents.withLock({ !$0.unsaved.isEmpty }) { save(to: list) }
  }

  private func apply(_ change: Change) {
    set { contents in
      contents.bonds.apply(change)
      if list != nil { contents.unsaved.append(change) }
    }
  }

  private func save(to list: ListFile) {
    let unsaved = contents.withLock { $0.unsaved }
    do throws(FileError) {
      let (bonds, version) = try list.file.withLock { () throws(FileError) in
        let bonds = try list.change(
          identifiedBy: ["adapter", "address", "addressType"],
          removing: { item in unsaved.contains { $0.drops(item) } },
          decode: Bond.init(json:), encode: \.json
        ) { bonds in
          for change in unsaved { bonds.apply(change) }
        }
        return (bonds, FileVersion(list.file))
      }
      set(version) { contents in
        contents.unsaved.removeFirst(unsaved.count)
        contents.bonds = contents.unsaved.reduce(into: bonds) { $0.apply($1) }
        contents.failure = nil
      }
    } catch {
      // An unreadable file is not changed, so the bonds only live as long as this process.
      set { $0.failure = error }
    }
  }

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
      bond.add(key)
      if let index { self[index] = bond } else { append(bond) }
    case .drop(let identity): removeAll { $0.identity == identity }
    }
  }
}

extension ListFile {
  fileprivate func bonds() throws(FileError) -> [Bond] { try items().compactMap(Bond.init(json:)) }
}

private struct FileVersion: Hashable {
  private let inode: ino_t
  private let length: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Creates the version of a file; all members are zero if the file does not exist.
  init(_ file: PrivateFile) {
    var status = stat()
    _ = stat(file.path, &status)
    inode = status.st_ino
    length = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
