internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop
internal import GATT
internal import Glibc

/// Questions to devices' service records, one after the other, each on a channel that is closed with
/// the answer.
///
/// There are devices that take a second channel and then answer both on it.
actor SDPClient {
  typealias Records = [[UInt16: SDPElement]]

  /// How long a device may take, for each of connecting and answering.
  private static let timeout: Duration = .seconds(2)

  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private var last: Task<Result<Records, RadioError>, Never>?
  private var transaction: UInt16 = 0

  init(loop: PollLoop, clock: any Clock<Duration>) {
    self.loop = loop
    self.clock = clock
  }

  /// What the device answers, after all that was asked before.
  ///
  /// - Parameter question: its bytes, given the number that the answer must have.
  func records(
    of address: BluetoothAddress, through adapter: AdapterInfo,
    asking question: @escaping @Sendable (UInt16) -> [UInt8]
  ) async throws(RadioError) -> Records {
    transaction &+= 1
    let task = Task { [last, transaction] in
      _ = await last?.value
      return await ask(address, through: adapter, transaction, question(transaction))
    }
    last = task
    return try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }.get()
  }

  private func ask(
    _ address: BluetoothAddress, through adapter: AdapterInfo, _ transaction: UInt16,
    _ question: [UInt8]
  ) async -> Result<Records, RadioError> {
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
      return .success(try await answer(to: question, on: bearer, transaction))
    } catch {
      return .failure(error)
    }
  }

  private func answer(
    to question: [UInt8], on bearer: SocketBearer, _ transaction: UInt16
  ) async throws(RadioError) -> Records {
    let timeout = Task { [clock] in
      try? await clock.sleep(for: Self.timeout)
      if !Task.isCancelled { bearer.close(.connectTimeout) }
    }
    defer {
      timeout.cancel()
      bearer.close(.user)
    }
    let answer: Bytes
    do throws(BearerClosed) {
      try await bearer.send(question[...])
      answer = try await bearer.receive()
    } catch {
      throw error.reason == .connectTimeout ? RadioError.timedOut : .refused
    }
    do throws(MalformedBytes) {
      return try ServiceDiscovery.records(in: answer, to: transaction)
    } catch {
      throw .system(errno: EBADMSG, during: "service discovery")
    }
  }
}
