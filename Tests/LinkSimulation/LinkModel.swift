package import BluetoothCodec

/// An LE link in simulated time, as a value that depends only on its parameters and seed.
///
/// At each connection event, a limited number of packets is exchanged. A value longer than a
/// link-layer packet takes several. A packet that is not received correctly is sent again, in place
/// of another. Which slots fail is independent of the sender. The phone's values wait in a buffer
/// that drops what does not fit; the headphone's leave at the event after the one that caused them.
package struct LinkModel: Sendable {
  /// The parameters that determine the speed of a link.
  package struct Parameters: Hashable, Sendable {
    /// The connection interval.
    package var interval: Duration
    /// The maximum number of packets in each direction per connection event.
    package var packetsPerEvent: Int
    /// The length of a link-layer packet in bytes, 27 to 251.
    package var packetLength: Int
    /// The number of values that the phone's send buffer holds.
    package var buffer: Int
    /// The probability of a retransmission, 0 to 1.
    package var retransmission: Double
    /// The times during which the headphone does not listen.
    package var stalls: [Range<Duration>]
    /// The seed; the same one loses the same packets.
    package var seed: UInt64

    /// Creates parameters, limited to possible values: at least one packet, 27 bytes, and a buffer
    /// of one value.
    package init(
      interval: Duration, packetsPerEvent: Int, packetLength: Int = 251, buffer: Int,
      retransmission: Double = 0, stalls: [Range<Duration>] = [], seed: UInt64 = 1
    ) {
      self.interval = interval
      self.packetsPerEvent = max(1, packetsPerEvent)
      self.packetLength = max(27, packetLength)
      self.buffer = max(1, buffer)
      self.retransmission = retransmission
      self.stalls = stalls
      self.seed = seed
    }

    /// A phone and headphone as measured: 36.25 ms, six packets, a buffer of six.
    package static let reference = Parameters(
      interval: .microseconds(36250), packetsPerEvent: 6, buffer: 6)

    /// The time between packets of an event: the longest one and its response at 2 Mbit/s.
    var spacing: Duration { min(.microseconds(1250), interval / packetsPerEvent) }
  }

  /// A time slot for one packet in each direction.
  struct Slot: Comparable, Sendable {
    var event = 0
    /// The position within the event, from 0.
    var place = 0

    static func < (a: Slot, b: Slot) -> Bool { (a.event, a.place) < (b.event, b.place) }
  }

  /// The direction of a packet.
  enum Direction: UInt64, Sendable { case toHeadphone, toPhone }

  /// A characteristic's value in transit.
  package struct Parcel: Hashable, Sendable {
    /// The direction and purpose of a value.
    package enum Kind: Hashable, Sendable { case command, data, event }

    package var kind: Kind
    /// The value as written or notified, without ATT's header.
    package var value: Bytes

    package init(_ kind: Kind, _ value: Bytes) {
      self.kind = kind
      self.value = value
    }
  }

  private struct Queued: Sendable {
    var parcel: Parcel
    var packetsLeft: Int
    /// The first connection event that may carry the value.
    var event: Int
  }

  package let parameters: Parameters
  private var toHeadphone: [Queued] = []
  private var toPhone: [Queued] = []
  /// The next exchange.
  private var slot = Slot()
  /// The number of values that did not fit into the buffer.
  package private(set) var dropped = 0
  /// The maximum number of values that waited in the phone's buffer.
  package private(set) var longestQueue = 0
  /// The number of retransmitted packets.
  package private(set) var retransmitted = 0

  package init(_ parameters: Parameters) { self.parameters = parameters }

  /// Whether the phone's buffer has room for a value, as a descriptor's writability shows.
  package var hasCapacity: Bool { toHeadphone.count < parameters.buffer }

  /// Appends a value to the phone's buffer, or drops it if there is no room.
  ///
  /// - Parameter isPatient: whether the value waits before the buffer instead, like a suspended
  ///   write.
  package mutating func send(_ parcel: Parcel, at now: Duration, isPatient: Bool = false) {
    guard hasCapacity || isPatient else {
      dropped += 1
      return
    }
    skip(to: now)
    toHeadphone.append(queued(parcel, from: slot.event))
    longestQueue = max(longestQueue, toHeadphone.count)
  }

  /// Passes a value to the headphone's radio.
  package mutating func push(_ value: Bytes, at now: Duration) {
    skip(to: now)
    let next = slot.place == 0 ? slot.event : slot.event + 1
    toPhone.append(queued(Parcel(.event, value), from: next))
  }

  /// Drops everything in transit.
  package mutating func breakOff() {
    toHeadphone = []
    toPhone = []
  }

  private func queued(_ parcel: Parcel, from event: Int) -> Queued {
    // L2CAP's header of 4 bytes and ATT's of 3.
    let length = parcel.value.count + 7
    let packets = (length + parameters.packetLength - 1) / parameters.packetLength
    return Queued(parcel: parcel, packetsLeft: packets, event: event)
  }

  // MARK: Time

  /// The time of the next exchange, or nil if there is nothing to transmit.
  package var nextExchange: Duration? {
    toHeadphone.isEmpty && toPhone.isEmpty ? nil : parameters.timestamp(of: slot)
  }

  /// Skips the exchanges that have carried nothing.
  private mutating func skip(to now: Duration) {
    guard toHeadphone.isEmpty, toPhone.isEmpty else { return }
    slot = max(slot, parameters.slot(from: now))
  }

  /// Performs the next exchange, and returns the values that have arrived, in order.
  package mutating func exchange() -> [Parcel] {
    let current = slot
    slot = parameters.slot(after: slot)
    return [
      carry(\.toHeadphone, at: current, .toHeadphone), carry(\.toPhone, at: current, .toPhone),
    ].compactMap { $0 }
  }

  private mutating func carry(
    _ queue: WritableKeyPath<Self, [Queued]>, at slot: Slot, _ direction: Direction
  ) -> Parcel? {
    guard let first = self[keyPath: queue].first, first.event <= slot.event,
      !parameters.isStalled(at: slot)
    else { return nil }
    guard parameters.isLucky(at: slot, direction) else {
      retransmitted += 1
      return nil
    }
    self[keyPath: queue][0].packetsLeft -= 1
    return first.packetsLeft == 1 ? self[keyPath: queue].removeFirst().parcel : nil
  }
}
