internal import BluetoothCodec

/// The subscriptions of a client; those of one characteristic share one configuration write.
struct Subscribers: Sendable {
  struct Enabled: Sendable {
    var id: UInt64
    var characteristic: Characteristic
    var write: Task<Result<Void, GATTError>, Never>
  }

  struct Entry: Sendable {
    var handle: UInt16
    var receivers: [any ValueReceiver]
    /// The characteristic whose properties determine the configuration, or nil if there is none.
    var configured: Characteristic?
  }

  private(set) var receivers: [UInt16: [any ValueReceiver]] = [:]
  private(set) var enabled: [UInt16: Enabled] = [:]
  private var lastID: UInt64 = 0

  mutating func add(_ added: [any ValueReceiver], at handle: UInt16) {
    if !added.isEmpty { receivers[handle, default: []] += added }
  }

  mutating func newID() -> UInt64 {
    lastID += 1
    return lastID
  }

  mutating func enable(_ entry: Enabled) { enabled[entry.characteristic.handle] = entry }

  mutating func disable(_ handle: UInt16, id: UInt64) {
    if enabled[handle]?.id == id { enabled[handle] = nil }
  }

  mutating func disable(_ handle: UInt16) -> Characteristic? {
    enabled.removeValue(forKey: handle)?.characteristic
  }

  mutating func removeAll() -> [any ValueReceiver] {
    defer { self = Subscribers() }
    return receivers.values.flatMap(\.self)
  }

  mutating func removeAll(in range: ATTHandleRange) -> [Entry] {
    Set(receivers.keys).union(enabled.keys).filter(range.contains).sorted().map { handle in
      Entry(
        handle: handle, receivers: receivers.removeValue(forKey: handle) ?? [],
        configured: disable(handle))
    }
  }

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
