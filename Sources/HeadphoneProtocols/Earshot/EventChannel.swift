public import BluetoothCodec

/// Tells events from packets among the values of FFF4.
///
/// A value that begins with A5 begins a packet; any other is an event, unless a packet that was cut
/// still waits for its rest. The document leaves open whether an event may come between two parts
/// of a packet, and a later part may begin like an event. So both readings of such a value are
/// followed until a checksum proves one of them; the events of the reading that won are then given
/// out in their place.
public struct EventChannel: Sendable {
  /// What a value of the channel held.
  public enum Item: Hashable, Sendable {
    /// A value that is an event.
    case event(WireEvent)
    /// A packet, joined from as many values as it took.
    case packet(HeadphonePacket)
    /// Bytes that made no sense, and why.
    case malformed(MalformedBytes, Bytes)
  }

  /// One way to read the values since a packet began.
  private struct Reading {
    var parser = PacketParser()
    var items: [Item] = []

    var hasPacket: Bool {
      items.contains { if case .packet = $0 { true } else { false } }
    }
  }

  /// There are never more readings than this.
  private static let mostReadings = 16
  /// A packet that waits while more events than this come is given up.
  private static let mostEvents = 64

  /// The readings that are left; none: no packet waits for its rest.
  ///
  /// The first takes all values for parts of the packet, the
  /// last takes all that can be events for events; between them is what mixes the two.
  private var readings: [Reading] = []
  private let layout: EventLayout

  public init(layout: EventLayout = .standard) { self.layout = layout }

  /// Whether a packet waits for its rest; events that might be a part of it wait with it.
  public var isWaiting: Bool { !readings.isEmpty }

  /// Takes one notified or indicated value.
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

  /// A value that is exactly one packet is hardly a part of another one: what waits was none.
  private static func wholePacket(in value: Bytes) -> HeadphonePacket? {
    guard value.first == HeadphonePacket.marker else { return nil }
    var parser = PacketParser()
    let items = parser.receive(value)
    guard items.count == 1, !parser.isWaiting, case .packet(let packet) = items[0] else {
      return nil
    }
    return packet
  }

  /// Gives up the packet that waits for its rest: what may be an event is one.
  public mutating func finish() -> [Item] {
    guard var reading = readings.popLast() else { return [] }
    readings = []
    reading.items += Self.items(of: reading.parser.finish())
    return reading.items
  }

  /// Keeps the readings that still wait, or ends with the first that is complete.
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
