public import BluetoothCodec

/// A parser of the values of FFF4, which separates events from packets.
///
/// A value that begins with A5 starts a packet; any other one is an event, unless a packet that was
/// split is still incomplete. The protocol does not define whether an event may come between two
/// parts of a packet, and a later part may begin like an event. So both readings of such a value
/// are followed until a checksum proves one of them; then the events of that reading are returned
/// in their places.
///
/// ```swift
/// var channel = EventChannel()
/// for item in channel.receive([0x03, 0x01]) {
///   if case .event(.anc(let mode)) = item { print(mode) }  // noiseCancelling
/// }
/// ```
///
/// It never buffers more than 16 readings of 64 events and one packet each.
public struct EventChannel: Sendable {
  /// The content of the values.
  public enum Item: Hashable, Sendable {
    /// One event, from one value.
    case event(WireEvent)
    /// One packet, joined from as many values as it needed.
    case packet(HeadphonePacket)
    /// Bytes that are neither, with the reason.
    case malformed(MalformedBytes, Bytes)
  }

  /// One way to read the values since a packet started.
  private struct Reading {
    var parser = PacketParser()
    var items: [Item] = []

    var hasPacket: Bool {
      items.contains { if case .packet = $0 { true } else { false } }
    }
  }

  /// The largest number of readings.
  private static let mostReadings = 16
  /// The number of events after which an incomplete packet is given up.
  private static let mostEvents = 64

  /// The remaining readings; empty while no packet is incomplete.
  ///
  /// The first one takes all values for parts of the packet, the last one takes all possible values
  /// for events; the others are mixtures.
  private var readings: [Reading] = []
  private let layout: EventLayout

  /// A parser without values.
  ///
  /// - Parameter layout: the numbers and byte orders of the events.
  public init(layout: EventLayout = .standard) { self.layout = layout }

  /// Whether a packet is incomplete; events that may be parts of it wait as well.
  public var isWaiting: Bool { !readings.isEmpty }

  /// Takes one notified or indicated value.
  ///
  /// - Returns: the events and packets that are now certain, in order.
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

  /// The packet, if a value is exactly one: it is then hardly a part of another one.
  private static func wholePacket(in value: Bytes) -> HeadphonePacket? {
    guard value.first == HeadphonePacket.marker else { return nil }
    var parser = PacketParser()
    let items = parser.receive(value)
    guard items.count == 1, !parser.isWaiting, case .packet(let packet) = items[0] else {
      return nil
    }
    return packet
  }

  /// Gives up an incomplete packet, so that its values are read as events if possible.
  public mutating func finish() -> [Item] {
    guard var reading = readings.popLast() else { return [] }
    readings = []
    reading.items += Self.items(of: reading.parser.finish())
    return reading.items
  }

  /// Keeps the readings that are incomplete, or ends with the first one that is complete.
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

  /// A reading with the value as the next part of its packet.
  private static func continued(_ reading: Reading, with value: Bytes) -> Reading {
    var reading = reading
    reading.items += items(of: reading.parser.receive(value))
    return reading
  }

  /// The items of parsed packets.
  private static func items(of parsed: [PacketParser.Item]) -> [Item] {
    parsed.map { item in
      switch item {
      case .packet(let packet): .packet(packet)
      case .skipped(let bytes):
        .malformed(MalformedBytes("packet", at: 0, .badLength(bytes.count)), bytes)
      }
    }
  }

  /// The event in a value, or the reason why it is none.
  private func event(in value: Bytes) -> Item {
    do throws(MalformedBytes) {
      return .event(try WireEvent(decoding: try layout.standardised(value)))
    } catch {
      return .malformed(error, value)
    }
  }
}
