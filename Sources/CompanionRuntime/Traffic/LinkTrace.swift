internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT
internal import Synchronization

/// PDUs of all links, for who wants to see them; free while nobody does.
final class TrafficObserver: Sendable {
  struct Passed: Sendable {
    var headphone: HeadphoneID
    var isSent: Bool
    /// False: of another channel than ATT's.
    var isAttributes: Bool
    var pdu: Bytes
  }

  /// Who reads more slowly than headphones talk gets the newest.
  let passed: AsyncStream<Passed>
  private let sink: AsyncStream<Passed>.Continuation
  private let isOn = Atomic<Bool>(false)

  init() {
    (passed, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  func set(isOn: Bool) { self.isOn.store(isOn, ordering: .relaxed) }

  func note(_ headphone: HeadphoneID, isSent: Bool, _ pdu: Bytes, on channel: LinkChannel) {
    guard isOn.load(ordering: .relaxed) else { return }
    sink.yield(
      Passed(
        headphone: headphone, isSent: isSent, isAttributes: channel == .attributes, pdu: pdu))
  }
}

/// Shows the PDUs of one headphone's link to the tap.
struct LinkTrace: BearerObserver {
  let headphone: HeadphoneID
  let channel: LinkChannel
  let tap: TrafficObserver

  func sent(_ pdu: Bytes) { tap.note(headphone, isSent: true, pdu, on: channel) }

  func received(_ pdu: Bytes) { tap.note(headphone, isSent: false, pdu, on: channel) }
}
