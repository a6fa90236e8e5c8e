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

/// A bearer whose PDUs can be seen as they pass.
struct TracedBearer: ForwardingBearer {
  let base: any Bearer
  let headphone: HeadphoneID
  let tap: TrafficObserver

  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {
    tap.note(headphone, isSent: true, pdu, on: channel)
    try await base.send(pdu)
  }

  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool {
    tap.note(headphone, isSent: true, pdu, on: channel)
    return try base.post(pdu, whenSent: whenSent)
  }

  nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    let pdu = try await base.receive()
    tap.note(headphone, isSent: false, pdu, on: channel)
    return pdu
  }

  func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {
    let (tap, headphone, channel) = (tap, headphone, channel)
    base.deliver { received in
      if case .success(let pdu) = received { tap.note(headphone, isSent: false, pdu, on: channel) }
      sink(received)
    }
  }
}
