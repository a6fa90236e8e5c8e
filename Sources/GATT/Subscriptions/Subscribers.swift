internal import BluetoothCodec

/// The subscriptions of a client, and the characteristics that the server was asked to send.
struct Subscribers: Sendable {
  /// A characteristic whose configuration is being written, or was.
  struct Enabled: Sendable {
    /// Tells this write from a later one of the same handle.
    var id: UInt64
    var characteristic: Characteristic
    var write: Task<Result<Void, GATTError>, Never>
  }

  /// What was found at one handle.
  struct Entry: Sendable {
    var handle: UInt16
    var queues: [ValueQueue]
    var isEnabled: Bool
  }

  /// By the value's handle; never an empty list.
  private(set) var queues: [UInt16: [ValueQueue]] = [:]
  /// By the value's handle.
  private(set) var enabled: [UInt16: Enabled] = [:]
  private var lastID: UInt64 = 0

  mutating func add(_ added: [ValueQueue], at handle: UInt16) {
    if !added.isEmpty { queues[handle, default: []] += added }
  }

  mutating func newID() -> UInt64 {
    lastID += 1
    return lastID
  }

  mutating func enable(_ entry: Enabled) { enabled[entry.characteristic.handle] = entry }

  /// Forgets a write that failed, unless a later one has taken its place.
  mutating func disable(_ handle: UInt16, id: UInt64) {
    if enabled[handle]?.id == id { enabled[handle] = nil }
  }

  mutating func disable(_ handle: UInt16) -> Characteristic? {
    enabled.removeValue(forKey: handle)?.characteristic
  }

  /// Takes out everything in a range, also what is enabled without a queue: Service Changed.
  mutating func removeAll(in range: ATTHandleRange) -> [Entry] {
    Set(queues.keys).union(enabled.keys).filter(range.contains).sorted().map { handle in
      Entry(
        handle: handle, queues: queues.removeValue(forKey: handle) ?? [],
        isEnabled: enabled.removeValue(forKey: handle) != nil)
    }
  }

  /// Takes out a queue.
  ///
  /// - Returns: its handle if it was the last one there.
  mutating func remove(_ queue: ValueQueue) -> UInt16? {
    guard let handle = queues.first(where: { $0.value.contains { $0 === queue } })?.key else {
      return nil
    }
    queues[handle]?.removeAll { $0 === queue }
    guard queues[handle]?.isEmpty == true else { return nil }
    queues[handle] = nil
    return handle
  }
}
