public import BluetoothCodec

/// A parser of the values of FFF4, which separates events from packets.
///
/// A value that starts with A5 starts a packet; any other is an event, unless a packet is
/// incomplete. The protocol does not say whether an event may come between two parts of a packet,
/// and a part may look like an event. Both readings are therefore followed until a checksum
/// confirms one, whose events are then returned in order.
///
/// ```swift
/// var channel = EventChannel()
/// for item in channel.receive([0x03, 0x01]) {
///   if case .event(.anc(let mode)) = item { print(mode) }  // noiseCancelling
/// }
/// ```
///
/// At most 16 readings of 64 events and one packet each are buffered.
public struct EventChannel: Sendable {
  /// An event, a packet, or bytes that are neither.
  public enum Item: Hashable, Sendable {
    case event(WireEvent)
    /// A packet, joined from one or more values.
    case packet(HeadphonePacket)
    /// Bytes that are neither, with the reason.
    case malformed(MalformedBytes, Bytes)
  }

  private struct Reading {
    var parser = PacketParser()
    var items: [Item] = []

    var hasPacket: Bool {
      items.contains { if case .packet = $0 { true } else { false } }
    }
  }

  private static let mostReadings = 16
  /// The number of events after which an incomplete packet is given up.
  private static let mostEvents = 64

  /// The possible readings since a packet started, or none while no packet is incomplete.
  ///
  /// They range from all values as parts of the packet to all possible values as events.
  private var readings: [Reading] = []
  private let layout: EventLayout

  public init(layout: EventLayout = .standard) { self.layout = layout }

  /// Whether a packet is incomplete, so that values wait which may be parts of it.
  public var isWaiting: Bool { !readings.isEmpty }

  /// Parses one notified or indicated value, and returns what is now certain, in order.
  public mutating func receive(_ value: Bytes) -> [Item] {
    guard isWaiting else {
      guard value.first == HeadphonePacket.marker else { return [event(in: value)] }
      readings = [Reading()]
      return settle(after: [Self.continued(Reading(), with: value)])
    }
    if let packet = Self.wholePacket(in: value) { return finish() + [.packet(packet)] }
    var next = readings.map { Self.continued($0, with: value) }
    if case .event(let event) = event(in: value) {
      next += readings.map { Reading(parser: $0.parser, items: $0.items + [.event(event)]) }
    }
    return settle(after: next)
  }

  /// Returns the packet that fills `value` exactly, which is then hardly a part of another, or nil.
  private static func wholePacket(in value: Bytes) -> HeadphonePacket? {
    guard value.first == HeadphonePacket.marker else { return nil }
    var parser = PacketParser()
    let items = parser.receive(value)
    guard items.count == 1, !parser.isWaiting, case .packet(let packet) = items[0] else {
      return nil
    }
    return packet
  }

  /// Gives up an incomplete packet, whose values are read as events if possible.
  public mutating func finish() -> [Item] {
    guard var reading = readings.popLast() else { return [] }
    readings = []
    reading.items += Self.items(of: reading.parser.finish())
    return reading.items
  }

  /// Keeps the incomplete readings, or ends with the first complete one.
  private mutating func settle(after next: [Reading]) -> [Item] {
    if let proved = next.first(where: \.hasPacket) {
      readings = proved.parser.isWaiting ? [Reading(parser: proved.parser)] : []
      return proved.items
    }
    let waiting = next.filter { $0.parser.isWaiting }
    guard let last = waiting.last else {
      readings = []
      return next.last?.items ?? []
    }
    readings = waiting.dropLast().prefix(Self.mostReadings - 1) + [last]
    return last.items.count > Self.mostEvents ? finish() : []
  }

  private static func continued(_ reading: Reading, with value: Bytes) -> Reading {
    var reading = reading
    reading.items += items(of: reading.parser.receive(value))
    return reading
  }

  private static func items(of parsed: [PacketParser.Item]) -> [Item] {
    parsed.map { item in
      switch item {
      case .packet(let packet): .packet(packet)
      case .skipped(let bytes):
        .malformed(MalformedBytes("packet", at: 0, .badLength(bytes.count)), bytes)
      }
    }
  }

  private func event(in value: Bytes) -> Item {
    do throws(MalformedBytes) {
      return .event(try WireEvent(decoding: try layout.standardised(value)))
    } catch {
      return .malformed(error, value)
    }
  }
}
