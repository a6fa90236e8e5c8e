internal import Locking

protocol Watcher: AnyObject, Sendable {
  /// Handles readiness; must not block.
  func ready(_ readiness: Readiness)
}

struct Watch: Hashable, Sendable {
  /// The epoll key, which is never reused.
  var key: UInt64
  var descriptor: Int32
}

/// The registered watchers by their epoll keys.
///
/// A key consists of an index in the table (bits 0 to 31) and a serial number (bits 32 to 63), so
/// that an event fetched before its watch ended is dropped.
struct WatchTable: Sendable {
  private struct Entry: Sendable {
    var key: UInt64
    var descriptor: Int32
    var watcher: any Watcher
  }

  private var entries: [Entry?] = []
  private var watches: UInt64 = 0

  mutating func add(_ descriptor: Int32, _ watcher: any Watcher) -> Watch {
    watches += 1
    let place = entries.firstIndex { $0 == nil } ?? entries.endIndex
    let key = watches << 32 | UInt64(place)
    let entry = Entry(key: key, descriptor: descriptor, watcher: watcher)
    if place == entries.endIndex { entries.append(entry) } else { entries[place] = entry }
    return Watch(key: key, descriptor: descriptor)
  }

  mutating func remove(_ key: UInt64) -> Bool {
    guard self[key] != nil else { return false }
    entries[Self.place(key)] = nil
    return true
  }

  mutating func removeAll(of descriptor: Int32) -> [any Watcher] {
    let watchers = watchers(of: descriptor)
    for place in entries.indices where entries[place]?.descriptor == descriptor {
      entries[place] = nil
    }
    return watchers
  }

  subscript(key: UInt64) -> (any Watcher)? {
    let place = Self.place(key)
    guard place < entries.count, let entry = entries[place], entry.key == key else { return nil }
    return entry.watcher
  }

  func watchers(of descriptor: Int32) -> [any Watcher] {
    entries.compactMap { $0?.descriptor == descriptor ? $0?.watcher : nil }
  }

  private static func place(_ key: UInt64) -> Int { Int(key & 0xFFFF_FFFF) }
}

extension PollLoop {
  /// Registers a watcher, which the loop keeps alive until ``unwatch(_:)``.
  ///
  /// The descriptor must stay open until then. The watcher may be called before this returns.
  func watch(
    _ descriptor: Int32, for interest: Readiness, _ watcher: any Watcher
  ) throws(SystemCallError) -> Watch {
    let outcome = watches.withLock { watches in
      Result { () throws(SystemCallError) in
        let watch = watches.add(descriptor, watcher)
        do throws(SystemCallError) {
          try epoll.add(descriptor, interest, key: watch.key)
        } catch {
          _ = watches.remove(watch.key)
          throw error
        }
        return watch
      }
    }
    return try outcome.get()
  }

  func change(_ watch: Watch, to interest: Readiness) throws(SystemCallError) {
    try epoll.change(watch.descriptor, to: interest, key: watch.key)
  }

  /// Ends a watch and the calls to its watcher; call this before closing the descriptor.
  ///
  /// The kernel's watch ends under the same lock. Otherwise the descriptor could be closed on another
  /// thread in between, and the watch of a new descriptor with the same number would end.
  func unwatch(_ watch: Watch) {
    watches.withLock { watches in
      if watches.remove(watch.key) { epoll.remove(watch.descriptor) }
    }
  }
}
