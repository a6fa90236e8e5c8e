internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop
internal import Glibc

/// A client of SDP servers that runs one transaction at a time, each on a new channel.
///
/// Some devices answer the requests of two open channels on the second.
actor SDPClient {
  /// The time-out of connecting, and of all responses of a transaction together.
  private static let timeout: Duration = .seconds(2)

  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private var last: Task<Result<ServiceDiscovery.Records, RadioError>, Never>?
  private var transaction: UInt16 = 0

  init(loop: PollLoop, clock: any Clock<Duration>) {
    self.loop = loop
    self.clock = clock
  }

  /// Queries a device's service records, after all earlier transactions.
  ///
  /// The device's BR/EDR link should be up, as otherwise the kernel pages it. Cancellation does not
  /// end a transaction that has begun: Linux (6.1) keeps a channel that is closed during its
  /// configuration, and then rejects the next one for which the device chooses the same CID.
  func records(
    of address: BluetoothAddress, through adapter: AdapterInfo,
    asking question: @escaping @Sendable (UInt16) -> ServiceDiscovery
  ) async throws(RadioError) -> ServiceDiscovery.Records {
    transaction &+= 1
    let task = Task { [last, transaction] () -> Result<ServiceDiscovery.Records, RadioError> in
      _ = await last?.value
      guard !Task.isCancelled else { return .failure(.cancelled) }
      return await Task { await ask(address, through: adapter, question(transaction)) }.value
    }
    last = task
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }.get()
  }

  /// Queries a device's product and serial services; `isWhole` is false if the second query failed.
  ///
  /// Some devices answer only one query, and others are busy for a while.
  func serviceRecords(
    of address: BluetoothAddress, through adapter: AdapterInfo
  ) async throws(RadioError) -> (records: ServiceRecords, isWhole: Bool) {
    let product = try await records(of: address, through: adapter) {
      ServiceDiscovery.product(transaction: $0)
    }
    let services = try? await records(of: address, through: adapter) {
      ServiceDiscovery.serialServices(transaction: $0)
    }
    let records = ServiceRecords(
      serialServices: SerialChannel.services(services ?? []), product: ProductID(product))
    return (records, services != nil)
  }

  func protection(
    of address: BluetoothAddress, through adapter: AdapterInfo
  ) async -> LinkProtection? {
    _ = await last?.value
    guard let bearer = try? await connect(to: address, through: adapter) else { return nil }
    defer { bearer.close(.user) }
    return bearer.withDescriptor(LinkSecurity.protection) ?? nil
  }

  private func connect(
    to address: BluetoothAddress, through adapter: AdapterInfo
  ) async throws(RadioError) -> SocketBearer {
    let attempt = try ConnectAttempt(to: address, psm: ServiceDiscovery.psm, through: adapter)
    let descriptor = try await attempt.connect(within: Self.timeout, loop: loop, clock: clock)
    do {
      return try SocketBearer(
        descriptor: descriptor, loop: loop, channel: .classic(psm: ServiceDiscovery.psm))
    } catch {
      throw .cancelled
    }
  }

  private func ask(
    _ address: BluetoothAddress, through adapter: AdapterInfo, _ question: ServiceDiscovery
  ) async -> Result<ServiceDiscovery.Records, RadioError> {
    do throws(RadioError) {
      let bearer = try await connect(to: address, through: adapter)
      return .success(try await Self.records(to: question, on: bearer, clock: clock))
    } catch {
      return .failure(error)
    }
  }

  static func records(
    to question: ServiceDiscovery, on bearer: any Bearer, clock: any Clock<Duration>
  ) async throws(RadioError) -> ServiceDiscovery.Records {
    let timeout = Task {
      try? await clock.sleep(for: Self.timeout)
      if !Task.isCancelled { bearer.close(.connectTimeout) }
    }
    defer {
      timeout.cancel()
      bearer.close(.user)
    }
    var question = question
    while true {
      let response: Bytes
      do throws(BearerClosed) {
        try await bearer.send(question.request[...])
        response = try await bearer.receive()
      } catch {
        throw error.reason == .connectTimeout ? RadioError.timedOut : .refused
      }
      do throws(MalformedBytes) {
        if let records = try question.receive(response) { return records }
      } catch {
        throw .system(errno: EBADMSG, during: "service discovery")
      }
    }
  }
}
