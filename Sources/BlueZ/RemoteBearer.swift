internal import Bluetooth
internal import BluetoothCodec
internal import DBus
internal import Locking

/// A bearer over bluetoothd's GATT objects, for a headphone whose ATT channel bluetoothd holds.
///
/// Requests are carried out one after another, as by a server. Closing the bearer leaves
/// bluetoothd's link as it is, with notifications disabled. It has no measurements and cannot
/// change the connection parameters.
///
/// ```swift
/// if let bearer = await RemoteBearer.open(peer, through: client) {
///   let client = GATTClient(bearer: bearer)
/// }
/// ```
final class RemoteBearer: Bearer {
  /// The state, protected by one lock.
  private struct State {
    /// The headphone's attributes, and the state of the simulated server.
    var attributes: RemoteAttributes
    /// The consumer of what arrives; `nil` until ``deliver(to:)``.
    var sink: (@Sendable (Result<Bytes, BearerClosed>) -> Void)?
    /// What arrived before there was a consumer.
    var waiting: [Result<Bytes, BearerClosed>] = []
    /// The pending ``receive()``.
    var receiver: CheckedContinuation<Result<Bytes, BearerClosed>, Never>?
    /// The characteristics with notifications, which are disabled at the end.
    var subscriptions: Set<String> = []
    /// The reason of the end; `nil` while the bearer is open.
    var closed: BearerClosed?
  }

  /// ATT; bluetoothd exports no other channel.
  let channel = LinkChannel.attributes
  let executor: any SerialExecutor
  /// The connection to bluetoothd.
  private let client: BlueZClient
  /// The headphone's address.
  private let peer: PeerAddress
  /// The object path of the headphone.
  private let device: String
  /// The state, which any thread may access.
  private let state: Mutex<State>
  /// The client's PDUs, carried out in their order.
  private let requests: AsyncStream<Bytes>.Continuation

  /// Opens a bearer on the link that bluetoothd holds.
  ///
  /// - Returns: `nil` if bluetoothd does not export the headphone's attributes.
  static func open(_ peer: PeerAddress, through client: BlueZClient) async -> RemoteBearer? {
    guard let (device, attributes) = await client.attributes(of: peer) else { return nil }
    let bearer = RemoteBearer(peer, device, attributes, client)
    await client.follow(device) { [weak bearer] event in
      switch event {
      case .value(let path, let bytes): bearer?.push(bytes, of: path)
      case .disconnected: bearer?.close(.peer)
      }
    }
    return bearer
  }

  private init(
    _ peer: PeerAddress, _ device: String, _ attributes: RemoteAttributes, _ client: BlueZClient
  ) {
    self.peer = peer
    self.device = device
    self.client = client
    executor = client.executor
    state = Mutex(State(attributes: attributes))
    let (pdus, requests) = AsyncStream.makeStream(of: Bytes.self)
    self.requests = requests
    Task { [weak self] in
      for await pdu in pdus { await self?.execute(pdu) }
    }
  }

  deinit { requests.finish() }

  // MARK: Requests

  /// Carries out one PDU of the client.
  private func execute(_ pdu: Bytes) async {
    switch state.withLock({ $0.attributes.receive(pdu) }) {
    case .ignore: return
    case .respond(let response): await arrive(.response(response))
    case .command(let path, let value):
      _ = try? await client.writeValue(value, at: path, isCommand: true)
    case .read(let path, let offset, let request):
      let result: Result<[UInt8], DBusError>
      do throws(DBusError) {
        result = .success(try await client.readValue(at: path, from: offset))
      } catch {
        result = .failure(error)
      }
      await finish(request, result)
    case .write(let path, let value, let request):
      await finish(request) { client throws(DBusError) in
        try await client.writeValue(value, at: path, isCommand: false)
      }
    case .subscribe(let path, let isOn, let request):
      state.withLock { state in
        if isOn { state.subscriptions.insert(path) } else { state.subscriptions.remove(path) }
      }
      await finish(request) { client throws(DBusError) in
        try await client.notify(isOn, at: path)
      }
    }
  }

  /// Completes a request that has no value in its response.
  private func finish(
    _ request: ATTRequest, _ work: (BlueZClient) async throws(DBusError) -> Void
  ) async {
    do throws(DBusError) {
      try await work(client)
      await finish(request, .success([]))
    } catch {
      await finish(request, .failure(error))
    }
  }

  /// Sends the response to a request, made of the value that was read or of bluetoothd's error.
  private func finish(_ request: ATTRequest, _ result: Result<[UInt8], DBusError>) async {
    let response = state.withLock { $0.attributes.finish(request, with: result) }
    await arrive(.response(response))
  }

  /// Delivers a changed value; called on the loop.
  private func push(_ value: [UInt8], of path: String) {
    guard let pdu = state.withLock({ $0.attributes.pushed(value, of: path) }) else { return }
    hand(.success(pdu.encoded()[...]))
  }

  /// Delivers a PDU on the loop.
  private func arrive(_ pdu: ATTServerPDU) async {
    await client.onLoop { self.hand(.success(pdu.encoded()[...])) }
  }

  /// Passes a PDU or the end to the consumer; called on the loop.
  private func hand(_ received: Result<Bytes, BearerClosed>) {
    let (sink, receiver) = state.withLock { state in
      defer { state.receiver = nil }
      if state.sink == nil, state.receiver == nil { state.waiting.append(received) }
      return (state.sink, state.receiver)
    }
    sink?(received)
    receiver?.resume(returning: received)
  }

  // MARK: Bearer

  /// Queues a PDU for bluetoothd, which counts as sent.
  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool {
    if let closed { throw closed }
    requests.yield(pdu)
    return true
  }

  /// Queues a PDU for bluetoothd; it does not wait.
  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {
    _ = try post(pdu) {}
  }

  /// Waits for the next PDU; only one caller at a time may wait.
  nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes {
    let received: Result<Bytes, BearerClosed> = await withCheckedContinuation { continuation in
      let ready = state.withLock { state -> Result<Bytes, BearerClosed>? in
        if !state.waiting.isEmpty { return state.waiting.removeFirst() }
        if let closed = state.closed { return .failure(closed) }
        state.receiver = continuation
        return nil
      }
      if let ready { continuation.resume(returning: ready) }
    }
    return try received.get()
  }

  /// Sets the consumer, and delivers what arrived before on the loop.
  func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void) {
    let waiting = state.withLock { state in
      state.sink = sink
      defer { state.waiting = [] }
      return state.waiting
    }
    guard !waiting.isEmpty else { return }
    Task { [client] in
      await client.onLoop { for received in waiting { sink(received) } }
    }
  }

  /// Pairs through bluetoothd, which itself encrypts its link when a value requires it.
  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) {
    try await client.pair(peer)
  }

  /// The security of bluetoothd's link, as far as the bond reveals it.
  var security: SecurityLevel {
    get async { await client.isPaired(device) ? .medium : .low }
  }

  /// The holder alone: bluetoothd does not report measurements of its link.
  func measure() async -> LinkQuality { LinkQuality(holder: "bluetoothd") }

  /// Always throws `unsupported`, since the link is bluetoothd's.
  func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    throw .unsupported
  }

  var withheldServices: Set<BluetoothUUID> { state.withLock(\.attributes.withheld) }

  var closed: BearerClosed? { state.withLock(\.closed) }

  /// Ends the bearer once, and disables notifications; bluetoothd's link stays.
  func close(_ reason: BearerClosed.Reason) {
    let closing = state.withLock { state -> Set<String>? in
      guard state.closed == nil else { return nil }
      state.closed = BearerClosed(reason)
      return state.subscriptions
    }
    guard let closing else { return }
    requests.finish()
    Task { [client, device] in
      await client.unfollow(device)
      await client.onLoop { self.hand(.failure(BearerClosed(reason))) }
      for path in closing { _ = try? await client.notify(false, at: path) }
    }
  }
}
