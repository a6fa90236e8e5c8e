internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import Locking

/// The PDUs of all links, for observers.
///
/// Without an observer, noting a PDU costs one relaxed load of an atomic flag. PDUs are noted on
/// the poll thread and read on the main actor.
final class TrafficObserver: Sendable {
  struct Passed: Sendable {
    var headphone: HeadphoneID
    var isSent: Bool
    /// Whether the PDU is of ATT rather than of another L2CAP or RFCOMM channel.
    var isAttributes: Bool
    var pdu: Bytes
  }

  /// The observed PDUs; only the newest are buffered, so that a slow observer delays no link.
  let passed: AsyncStream<Passed>
  private let sink: AsyncStream<Passed>.Continuation
  private let isOn = Atomic<Bool>(false)

  init() {
    (passed, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  /// Starts or stops observing; PDUs in progress may still be noted.
  func set(isOn: Bool) { self.isOn.store(isOn, ordering: .relaxed) }

  /// Notes a PDU if there is an observer, without waiting.
  func note(_ headphone: HeadphoneID, isSent: Bool, _ pdu: Bytes, on channel: LinkChannel) {
    guard isOn.load(ordering: .relaxed) else { return }
    sink.yield(
      Passed(
        headphone: headphone, isSent: isSent, isAttributes: channel == .attributes, pdu: pdu))
  }
}

/// An observer that forwards the PDUs of one headphone's link to a ``TrafficObserver``.
struct LinkTrace: BearerObserver {
  let headphone: HeadphoneID
  let channel: LinkChannel
  let tap: TrafficObserver

  func sent(_ pdu: Bytes) { tap.note(headphone, isSent: true, pdu, on: channel) }

  func received(_ pdu: Bytes) { tap.note(headphone, isSent: false, pdu, on: channel) }
}
