internal import BluetoothCodec

/// The subscriptions of a client, and the configurations that it has written for them.
///
/// Several subscriptions of one characteristic share one write of its Client Characteristic
/// Configuration.
struct Subscribers: Sendable {
  /// A characteristic whose configuration is being written, or was written.
  struct Enabled: Sendable {
    /// The number of this write, which distinguishes it from a later one of the same handle.
    var id: UInt64
    var characteristic: Characteristic
    /// The write and its result.
    var write: Task<Result<Void, GATTError>, Never>
  }

  /// The subscriptions and the configuration at one handle.
  struct Entry: Sendable {
    var handle: UInt16
    var receivers: [any ValueReceiver]
    var isEnabled: Bool
  }

  /// The consumers by the handle of the value; never an empty list.
  private(set) var receivers: [UInt16: [any ValueReceiver]] = [:]
  /// The enabled notifications and indications by the handle of the value.
  private(set) var enabled: [UInt16: Enabled] = [:]
  private var lastID: UInt64 = 0

  mutating func add(_ added: [any ValueReceiver], at handle: UInt16) {
    if !added.isEmpty { receivers[handle, default: []] += added }
  }

  /// A number for the next write.
  mutating func newID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Records a write.
  mutating func enable(_ entry: Enabled) { enabled[entry.characteristic.handle] = entry }

  /// Forgets a write that failed, unless a later one has replaced it.
  mutating func disable(_ handle: UInt16, id: UInt64) {
    if enabled[handle]?.id == id { enabled[handle] = nil }
  }

  /// Forgets a write, and returns its characteristic.
  mutating func disable(_ handle: UInt16) -> Characteristic? {
    enabled.removeValue(forKey: handle)?.characteristic
  }

  /// Removes everything, when the bearer closes, and returns the consumers.
  mutating func removeAll() -> [any ValueReceiver] {
    defer { self = Subscribers() }
    return receivers.values.flatMap(\.self)
  }

  /// Removes all subscriptions and configurations in a range, after Service Changed.
  mutating func removeAll(in range: ATTHandleRange) -> [Entry] {
    Set(receivers.keys).union(enabled.keys).filter(range.contains).sorted().map { handle in
      Entry(
        handle: handle, receivers: receivers.removeValue(forKey: handle) ?? [],
        isEnabled: enabled.removeValue(forKey: handle) != nil)
    }
  }

  /// Removes a subscription.
  ///
  /// - Returns: its handle if it was the last one there.
  mutating func remove(_ receiver: any ValueReceiver) -> UInt16? {
    guard let handle = receivers.first(where: { $0.value.contains { $0 === receiver } })?.key else {
      return nil
    }
    receivers[handle]?.removeAll { $0 === receiver }
    guard receivers[handle]?.isEmpty == true else { return nil }
    receivers[handle] = nil
    return handle
  }
}
