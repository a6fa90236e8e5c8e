public import BluetoothCodec

/// What command 0x03 answers: events, each after a byte with its length.
public struct StateReport: Hashable, Sendable {
  /// Each event of the report, or the bytes that are none and why.
  public enum Entry: Hashable, Sendable {
    /// An event as FFF4 would have notified it.
    case event(WireEvent)
    /// What is wrong with one entry, and its bytes; the entries behind it count.
    case malformed(MalformedBytes, Bytes)
  }

  /// In the order of the answer.
  public var entries: [Entry]

  /// What a virtual headphone answers.
  public init(_ events: [WireEvent]) { entries = events.map { .event($0) } }

  /// Decodes the response's data, without its status; what cannot be read is kept as such.
  public init(decoding bytes: Bytes) {
    entries = []
    var rest = bytes
    while let length = rest.popFirst().map(Int.init) {
      let part = rest.prefix(length)
      rest = rest.dropFirst(length)
      entries.append(Self.entry(part, length: length))
    }
  }

  private static func entry(_ part: Bytes, length: Int) -> Entry {
    guard part.count == length else {
      let reason = MalformedBytes.Reason.truncated(needed: length, available: part.count)
      return .malformed(MalformedBytes("state", at: 0, reason), part)
    }
    do { return .event(try WireEvent(decoding: part)) } catch { return .malformed(error, part) }
  }

  /// The response's data, without its status; only the events.
  public func encoded() -> [UInt8] {
    entries.flatMap { entry -> [UInt8] in
      guard case .event(let event) = entry else { return [] }
      let bytes = event.encoded()
      return [UInt8(clamping: bytes.count)] + bytes
    }
  }
}
