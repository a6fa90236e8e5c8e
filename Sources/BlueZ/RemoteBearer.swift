internal import BluetoothCodec
internal import BluetoothRadio
internal import DBus
internal import Locking

/// A bearer over bluetoothd's GATT objects, for a headphone whose ATT channel bluetoothd holds.
///
/// Requests are carried out one after another, as by a server. Closing the bearer disables
/// notifications, but keeps bluetoothd's link.
final class RemoteBearer: Bearer {
  private struct State {
    var attributes: RemoteAttributes
    var sink: (@Sendable (Result<Bytes, BearerClosed>) -> Void)?
    var waiting: [Result<Bytes, BearerClosed>] = []
    var receiver: CheckedContinuation<Result<Bytes, BearerClosed>, Never>?
    /// The characteristics with notifications, which are disabled at the end.
    var subscriptions: Set<String> = []
    var settling: Task<Void, Never>?
    var closed: BearerClosed?
  }

  /// The time without a new attribute after which bluetoothd has exported them all.
  private static let settlingTime: Duration = .milliseconds(500)
  /// The time for bluetoothd to read services again after it has removed their objects.
  private static let rereadingTime: Duration = .seconds(5)

  let channel = LinkChannel.attributes
  let executor: any SerialExecutor
  private let client: BlueZClient
  private let peer: PeerAddress
  private let device: String
  private let state: Mutex<State>
  private let requests: AsyncStream<Bytes>.Continuation

  /// Opens a bearer on bluetoothd's link, or returns nil if the attributes are not exported.
  static func open(_ peer: PeerAddress, through client: BlueZClient) async -> RemoteBearer? {
    guard let (device, attributes) = await client.attributes(of: peer) else { return nil }
    let bearer = RemoteBearer(peer, device, attributes, client)
    await client.follow(device) { [weak bearer] event in
      switch event {
      case .value(let path, let bytes): bearer?.push(bytes, of: path)
      case .attributes(let isAddition):
        bearer?.change(after: isAddition ? Self.settlingTime : Self.rereadingTime)
      case .disconnected: bearer?.close(.peer)
      case .bluetoothdGone: bearer?.close(.bluetoothdGone)
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
    case .write(let values, let request):
      await finish(request) { client throws(DBusError) in
        for value in values {
          try await client.writeValue(value.bytes, at: value.path, isCommand: false)
        }
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

  private func push(_ value: [UInt8], of path: String) {
    guard let pdu = state.withLock({ $0.attributes.pushed(value, of: path) }) else { return }
    hand(.success(pdu.encoded()[...]))
  }

  /// Adopts the exported attributes after they have been stable for a time; called on the loop.
  private func change(after time: Duration) {
    let settling = Task { [weak self, client] in
      guard (try? await client.clock.sleep(for: time)) != nil else { return }
      await client.withObjects { [weak self] in self?.change(to: $0) }
    }
    state.withLock { state in
      state.settling?.cancel()
      state.settling = settling
    }
  }

  private func change(to tree: DBusObjectTree) {
    let pdu = state.withLock { state in
      state.closed == nil ? state.attributes.change(to: tree, of: device) : nil
    }
    if let pdu { hand(.success(pdu.encoded()[...])) }
  }

  private func arrive(_ pdu: ATTServerPDU) async {
    await client.onLoop { self.hand(.success(pdu.encoded()[...])) }
  }

  private func hand(_ received: Result<Bytes, BearerClosed>) {
    let (sink, receiver) = state.withLock { state in
      defer { state.receiver = nil }
      if state.sink == nil, state.receiver == nil { state.waiting.append(received) }
      return (state.sink, state.receiver)
    }
    sink?(received)
    receiver?.resume(returning: received)
  }

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
    // Values arrive on the loop, too, so none overtakes those that wait.
    Task { [client] in
      await client.onLoop {
        let waiting = self.state.withLock { state in
          state.sink = sink
          defer { state.waiting = [] }
          return state.waiting
        }
        for received in waiting { sink(received) }
      }
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

  /// Returns only the holder, because bluetoothd reports no measurements of its link.
  func measure() async -> LinkQuality { LinkQuality(holder: "bluetoothd") }

  func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming {
    throw .unsupported
  }

  var withheldServices: Set<BluetoothUUID> { state.withLock(\.attributes.withheld) }

  var closed: BearerClosed? { state.withLock(\.closed) }

  func close(_ reason: BearerClosed.Reason) {
    let closing = state.withLock { state -> Set<String>? in
      guard state.closed == nil else { return nil }
      state.closed = BearerClosed(reason)
      state.settling?.cancel()
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
