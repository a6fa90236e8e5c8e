internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop
internal import GATT
internal import Glibc

/// A client of devices' SDP servers: one transaction at a time, each on a channel of its own.
///
/// Some devices accept a second channel while the first is open, and then answer both on it.
actor SDPClient {
  /// How long connecting may take, and all answers of a transaction together.
  private static let timeout: Duration = .seconds(2)

  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private var last: Task<Result<ServiceDiscovery.Records, RadioError>, Never>?
  private var transaction: UInt16 = 0

  init(loop: PollLoop, clock: any Clock<Duration>) {
    self.loop = loop
    self.clock = clock
  }

  /// Asks a device for records, after the transactions that were begun before.
  ///
  /// - Parameters:
  ///   - address: the device, whose BR/EDR link should be up: otherwise the kernel pages it.
  ///   - adapter: the adapter to connect through.
  ///   - question: the transaction, given its number.
  /// - Returns: the records that the device has.
  /// - Throws: why the device could not be asked, or did not answer intelligibly within 2 s.
  func records(
    of address: BluetoothAddress, through adapter: AdapterInfo,
    asking question: @escaping @Sendable (UInt16) -> ServiceDiscovery
  ) async throws(RadioError) -> ServiceDiscovery.Records {
    transaction &+= 1
    let task = Task { [last, transaction] in
      _ = await last?.value
      return await ask(address, through: adapter, question(transaction))
    }
    last = task
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }.get()
  }

  /// What a device has on serial channels, and who made it.
  ///
  /// - Throws: as ``records(of:through:asking:)``.
  func serviceRecords(
    of address: BluetoothAddress, through adapter: AdapterInfo
  ) async throws(RadioError) -> ServiceRecords {
    let product = try await records(of: address, through: adapter) {
      ServiceDiscovery.product(transaction: $0)
    }
    let services = try await records(of: address, through: adapter) {
      ServiceDiscovery.serialServices(transaction: $0)
    }
    return ServiceRecords(
      serialServices: SerialChannel.services(services), product: ProductID(product))
  }

  private func ask(
    _ address: BluetoothAddress, through adapter: AdapterInfo, _ question: ServiceDiscovery
  ) async -> Result<ServiceDiscovery.Records, RadioError> {
    do throws(RadioError) {
      let attempt = try ConnectAttempt(to: address, psm: ServiceDiscovery.psm, through: adapter)
      let descriptor = try await attempt.connect(within: Self.timeout, loop: loop, clock: clock)
      let bearer: SocketBearer
      do {
        bearer = try SocketBearer(
          descriptor: descriptor, loop: loop, channel: .classic(psm: ServiceDiscovery.psm))
      } catch {
        throw .cancelled
      }
      return .success(try await Self.answer(to: question, on: bearer, clock: clock))
    } catch {
      return .failure(error)
    }
  }

  /// Sends requests until the device has answered in full, then closes the channel.
  ///
  /// - Parameters:
  ///   - question: the transaction.
  ///   - bearer: a channel to the device's SDP server.
  ///   - clock: measures the 2 s that the device may take.
  /// - Returns: the records that the device has.
  /// - Throws: `timedOut`, `refused` if the device closed the channel, or EBADMSG for an answer that
  ///   is malformed.
  static func answer(
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
      let answer: Bytes
      do throws(BearerClosed) {
        try await bearer.send(question.request[...])
        answer = try await bearer.receive()
      } catch {
        throw error.reason == .connectTimeout ? RadioError.timedOut : .refused
      }
      do throws(MalformedBytes) {
        if let records = try question.receive(answer) { return records }
      } catch {
        throw .system(errno: EBADMSG, during: "service discovery")
      }
    }
  }
}
