internal import Bluetooth
internal import BluetoothCodec
internal import DBus
internal import Synchronization

/// An ATT channel over bluetoothd's GATT objects, for a headphone whose own channel bluetoothd
/// holds.
///
/// Requests are carried out one after another, as a server does. Closing it leaves bluetoothd's
/// link as it is.
final class RemoteBearer: Bearer {
  private struct State {
    var attributes: RemoteAttributes
    var sink: (@Sendable (Result<Bytes, BearerClosed>) -> Void)?
    /// What arrived before there was a sink.
    var waiting: [Result<Bytes, BearerClosed>] = []
    var receiver: CheckedContinuation<Result<Bytes, BearerClosed>, Never>?
    var subscriptions: Set<String> = []
    var closed: BearerClosed?
  }

  let channel = LinkChannel.attributes
  let executor: any SerialExecutor
  private let client: BlueZClient
  private let peer: PeerAddress
  private let device: String
  private let state: Mutex<State>
  private let requests: AsyncStream<Bytes>.Continuation

  /// - Returns: nil where bluetoothd does not show the headphone's attributes.
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

  private func finish(_ request: ATTRequest, _ result: Result<[UInt8], DBusError>) async {
    let response = state.withLock { $0.attributes.finish(request, with: result) }
    await arrive(.response(response))
  }

  /// Called on the loop.
  private func push(_ value: [UInt8], of path: String) {
    guard let pdu = state.withLock({ $0.attributes.pushed(value, of: path) }) else { return }
    hand(.success(pdu.encoded()[...]))
  }

  private func arrive(_ pdu: ATTServerPDU) async {
    await client.onLoop { self.hand(.success(pdu.encoded()[...])) }
  }

  /// Called on the loop.
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

  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool {
    if let closed { throw closed }
    requests.yield(pdu)
    return true
  }

  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed) {
    _ = try post(pdu) {}
  }

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

  /// By bluetoothd, which encrypts its link itself when a value demands it.
  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure) {
    try await client.pair(peer)
  }

  var security: SecurityLevel {
    get async { await client.isPaired(device) ? .medium : .low }
  }

  func measure() async -> LinkQuality { LinkQuality() }

  func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    throw .unsupported
  }

  var closed: BearerClosed? { state.withLock(\.closed) }

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
