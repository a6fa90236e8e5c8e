public import BluetoothCodec

/// The response to command 0x03: events, each after a byte with its length.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | length *n* of the first event |
/// | 1 | *n* | the event, as FFF4 would notify it |
/// | 1 + *n* | 1 | length of the second event, and so on |
public struct StateReport: Hashable, Sendable {
  /// An event of the report, or bytes that are not an event.
  public enum Entry: Hashable, Sendable {
    case event(WireEvent)
    /// An entry that cannot be decoded, which does not invalidate the others.
    case malformed(MalformedBytes, Bytes)
  }

  /// The entries in the order of the response.
  public var entries: [Entry]

  /// Creates the report of a virtual headphone.
  public init(_ events: [WireEvent]) { entries = events.map { .event($0) } }

  /// Decodes the response's data after its status.
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
}
