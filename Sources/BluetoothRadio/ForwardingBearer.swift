public import BluetoothCodec

/// A bearer that forwards to another bearer whatever it does not implement.
public protocol ForwardingBearer: Bearer {
  /// The bearer to forward to.
  var base: any Bearer { get }
}

extension ForwardingBearer {
  public var channel: LinkChannel { base.channel }

  public var executor: any SerialExecutor { base.executor }

  public var withheldServices: Set<BluetoothUUID> { base.withheldServices }

  public var closed: BearerClosed? { base.closed }

  public nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {
    try await base.send(pdu)
  }

  public func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool {
    try base.post(pdu, whenSent: whenSent)
  }

  public nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    try await base.receive()
  }

  public func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {
    base.deliver(to: sink)
  }

  public func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) {
    try await base.raiseSecurity(to: level)
  }

  public var security: SecurityLevel { get async { await base.security } }

  public func measure() async -> LinkQuality { await base.measure() }

  public func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    try await base.retime(to: request)
  }

  public func close(_ reason: BearerClosed.Reason) { base.close(reason) }
}
