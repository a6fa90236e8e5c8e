import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio

/// A bearer that reports each PDU that the client sends.
final class ObservedBearer: ForwardingBearer {
  let base: any Bearer
  private let handedOver: AsyncStream<Void>
  private let sink: AsyncStream<Void>.Continuation

  init(_ base: any Bearer) {
    self.base = base
    (handedOver, sink) = AsyncStream.makeStream()
  }

  /// Returns once a PDU has been sent.
  func handsOver() async {
    for await _ in handedOver { return }
  }

  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {
    sink.yield()
    try await base.send(pdu)
  }

  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool {
    defer { sink.yield() }
    return try base.post(pdu, whenSent: whenSent)
  }
}
