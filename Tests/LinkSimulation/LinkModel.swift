package import BluetoothCodec

/// An LE link in simulated time, as a value: what it carries, and when, follows from its parameters
/// and its seed alone.
///
/// At each connection event up to so many packets are exchanged. A value that is longer than a
/// link-layer packet takes several; a packet that is not received rightly is sent again and takes
/// another's place. Which places are unlucky is the air's doing, whoever sends what in them. The
/// phone's values wait in a buffer that drops what does not fit; the headphone's leave at the event
/// after the one that made them.
package struct LinkModel: Sendable {
  /// What decides how fast a link is.
  package struct Parameters: Hashable, Sendable {
    /// Between connection events.
    package var interval: Duration
    /// Packets in each direction at a connection event, at most.
    package var packetsPerEvent: Int
    /// Bytes of a link-layer packet: 27 to 251.
    package var packetLength: Int
    /// Values that the phone's send buffer takes.
    package var buffer: Int
    /// How likely a packet has to be sent again; 0 to 1.
    package var retransmission: Double
    /// When the headphone listens to nothing.
    package var stalls: [Range<Duration>]
    /// The same seed loses the same packets.
    package var seed: UInt64

    /// Brings what no link can have into range: at least one packet, of 27 bytes, and a buffer of
    /// one value.
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

    /// A phone and a headphone as they were measured: 36.25 ms, six packets, six places.
    package static let reference = Parameters(
      interval: .microseconds(36250), packetsPerEvent: 6, buffer: 6)

    /// Between packets of an event: the longest one and its answer, at 2 Mbit/s.
    var spacing: Duration { min(.microseconds(1250), interval / packetsPerEvent) }
  }

  /// A place in time for one packet in each direction.
  struct Slot: Comparable, Sendable {
    var event = 0
    /// Within the event, from 0 on.
    var place = 0

    static func < (a: Slot, b: Slot) -> Bool { (a.event, a.place) < (b.event, b.place) }
  }

  /// Which way a packet goes.
  enum Direction: UInt64, Sendable { case toHeadphone, toPhone }

  /// A characteristic's value on its way.
  package struct Parcel: Hashable, Sendable {
    /// Which way a value goes, and as what.
    package enum Kind: Hashable, Sendable { case command, data, event }

    /// Which way it goes, and as what.
    package var kind: Kind
    /// As it is written or notified, without ATT's header.
    package var value: Bytes

    package init(_ kind: Kind, _ value: Bytes) {
      self.kind = kind
      self.value = value
    }
  }

  private struct Queued: Sendable {
    var parcel: Parcel
    var packetsLeft: Int
    /// The first connection event that may carry it.
    var event: Int
  }

  /// What decides how fast it is.
  package let parameters: Parameters
  private var toHeadphone: [Queued] = []
  private var toPhone: [Queued] = []
  /// The exchange that comes next.
  private var slot = Slot()
  /// Values that did not fit into the buffer.
  package private(set) var dropped = 0
  /// The most values that have waited in the phone's buffer.
  package private(set) var longestQueue = 0
  /// Packets sent again.
  package private(set) var retransmitted = 0

  package init(_ parameters: Parameters) { self.parameters = parameters }

  /// Whether the phone's buffer takes one more value: what a descriptor's writability tells.
  package var hasCapacity: Bool { toHeadphone.count < parameters.buffer }

  /// Puts a value into the phone's buffer, or drops it where there is no room.
  ///
  /// - Parameter isPatient: the value waits before the buffer instead, as a suspended write does.
  package mutating func send(_ parcel: Parcel, at now: Duration, isPatient: Bool = false) {
    guard hasCapacity || isPatient else {
      dropped += 1
      return
    }
    skip(to: now)
    toHeadphone.append(queued(parcel, from: slot.event))
    longestQueue = max(longestQueue, toHeadphone.count)
  }

  /// Gives a value to the headphone's radio.
  package mutating func push(_ value: Bytes, at now: Duration) {
    skip(to: now)
    let next = slot.place == 0 ? slot.event : slot.event + 1
    toPhone.append(queued(Parcel(.event, value), from: next))
  }

  /// Everything on the way is lost.
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

  /// When the next packet is exchanged; nil: there is nothing to carry.
  package var nextExchange: Duration? {
    toHeadphone.isEmpty && toPhone.isEmpty ? nil : parameters.timestamp(of: slot)
  }

  /// Lets the exchanges pass that have carried nothing.
  private mutating func skip(to now: Duration) {
    guard toHeadphone.isEmpty, toPhone.isEmpty else { return }
    slot = max(slot, parameters.slot(from: now))
  }

  /// Carries out the next exchange; gives what has arrived whole, in order.
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
