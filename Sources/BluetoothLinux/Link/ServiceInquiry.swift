internal import BluetoothCodec
internal import Descriptors
internal import GATT
internal import Glibc

/// One question to a device's service records, on a channel that is closed with the answer.
struct ServiceInquiry {
  /// How long a device may take, for each of connecting and answering.
  private static let patience: Duration = .seconds(2)

  let adapter: AdapterInfo
  let loop: PollLoop
  let clock: any Clock<Duration>

  /// What the device answers.
  ///
  /// - Parameter question: its bytes, given the number that the answer must have.
  func records(
    of address: BluetoothAddress, asking question: (UInt16) -> [UInt8]
  ) async throws(RadioError) -> [[UInt16: SDPElement]] {
    let attempt = try ConnectAttempt(to: address, psm: ServiceDiscovery.psm, through: adapter)
    let descriptor = try await attempt.connect(within: Self.patience, loop: loop, clock: clock)
    let bearer: DescriptorBearer
    do {
      bearer = try DescriptorBearer(
        descriptor: descriptor, loop: loop, channel: .classic(psm: ServiceDiscovery.psm))
    } catch {
      throw .cancelled
    }
    let timeout = Task { [clock] in
      try? await clock.sleep(for: Self.patience)
      if !Task.isCancelled { bearer.close(.connectTimeout) }
    }
    defer {
      timeout.cancel()
      bearer.close(.user)
    }
    let transaction: UInt16 = 1
    do throws(BearerClosed) {
      try await bearer.send(question(transaction)[...])
      let answer = try await bearer.receive()
      do throws(MalformedBytes) {
        return try ServiceDiscovery.records(in: answer, to: transaction)
      } catch {
        throw BearerClosed(.protocolViolation("\(error)"))
      }
    } catch {
      if error.reason == .connectTimeout { throw .timedOut }
      guard case .protocolViolation = error.reason else { throw .refused }
      throw .system(errno: EBADMSG, during: "service discovery")
    }
  }
}
