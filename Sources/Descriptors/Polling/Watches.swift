internal import Synchronization

/// Someone who is told, on the loop's thread, what a descriptor is ready for.
protocol Watcher: AnyObject, Sendable {
  func ready(_ readiness: Readiness)
}

/// A watched descriptor, until it is unwatched.
struct Watch: Hashable, Sendable {
  var key: UInt64
  var descriptor: Int32
}

/// Who watches what.
///
/// Keys are never used again, so that an event that was fetched before its watch ended reaches
/// nobody.
struct WatchTable: Sendable {
  var watchers: [UInt64: (descriptor: Int32, watcher: any Watcher)] = [:]
  private var lastKey: UInt64 = 0

  mutating func add(_ descriptor: Int32, _ watcher: any Watcher) -> Watch {
    lastKey += 1
    watchers[lastKey] = (descriptor, watcher)
    return Watch(key: lastKey, descriptor: descriptor)
  }
}

extension PollLoop {
  func watch(
    _ descriptor: Int32, for interest: Readiness, _ watcher: any Watcher
  ) throws(DescriptorError) -> Watch {
    let watch = watches.withLock { $0.add(descriptor, watcher) }
    do {
      try epoll.add(descriptor, interest, key: watch.key)
    } catch {
      watches.withLock { _ = $0.watchers.removeValue(forKey: watch.key) }
      throw error
    }
    return watch
  }

  func change(_ watch: Watch, to interest: Readiness) throws(DescriptorError) {
    try epoll.change(watch.descriptor, to: interest, key: watch.key)
  }

  /// To be called before the descriptor is closed.
  func unwatch(_ watch: Watch) {
    let isKnown = watches.withLock { $0.watchers.removeValue(forKey: watch.key) != nil }
    if isKnown { epoll.remove(watch.descriptor) }
  }
}
