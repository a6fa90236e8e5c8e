import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import Locking
import Testing

@testable import CompanionRuntime

/// Pairings that failed are not retried automatically.
@Suite struct CarefulBearerTests {
  private let refusal = PairingRefusal()

  /// The outcomes of raising a link's security, in order.
  private final class Outcomes: Sendable {
    private let outcomes: Mutex<[SecurityFailure?]>
    init(_ outcomes: [SecurityFailure?]) { self.outcomes = Mutex(outcomes) }
    func next() throws(SecurityFailure) {
      if let failure = outcomes.withLock({ $0.removeFirst() }) { throw failure }
    }
    var left: Int { outcomes.withLock { $0.count } }
  }

  private func raise(_ bearer: some Bearer) async -> SecurityFailure? {
    do throws(SecurityFailure) {
      try await bearer.raiseSecurity(to: .medium)
      return nil
    } catch {
      return error
    }
  }

  private func link(_ outcomes: Outcomes) throws -> (near: SocketBearer, far: SocketBearer) {
    try SocketBearer.pair(
      loop: .shared,
      hooks: LinkCallbacks(raiseSecurity: { (_, _) throws(SecurityFailure) in try outcomes.next() })
    )
  }

  @Test(arguments: [
    SecurityFailure.declined, .unanswered, .timedOut, .refused, .noAgent,
    .notPermitted(capability: "CAP_NET_ADMIN"),
  ])
  func `what was refused once is refused at once until a person wants it`(
    failure: SecurityFailure
  ) async throws {
    let outcomes = Outcomes([failure, nil])
    let (near, far) = try link(outcomes)
    let bearer = PairingBackoffBearer(base: near, refusal: refusal)
    #expect(await raise(bearer) == failure)
    #expect(await raise(bearer) == failure)
    #expect(outcomes.left == 1)
    refusal.forget()
    #expect(await raise(bearer) == nil)
    near.close(.user)
    far.close(.user)
  }

  @Test(arguments: [
    SecurityFailure.keyMissing, .unsupported, .unattended,
    .closed(BearerClosed(.supervisionTimeout)),
  ])
  func `what may pass is tried again`(failure: SecurityFailure) async throws {
    let outcomes = Outcomes([failure, nil])
    let (near, far) = try link(outcomes)
    let bearer = PairingBackoffBearer(base: near, refusal: refusal)
    #expect(await raise(bearer) == failure)
    #expect(await raise(bearer) == nil)
    near.close(.user)
    far.close(.user)
  }
}
