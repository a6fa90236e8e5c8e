public import Bluetooth
internal import BluetoothCodec
internal import GATT
public import HeadphoneProtocols
internal import Synchronization

/// The driver for AirPods and Beats whose audio side is connected: no GATT, packets of their own.
///
/// It runs on the bearer's executor and does not close it.
public final class AACPDriver: HeadphoneDriver {
  private let emitter: EventEmitter
  private let isComplete = CompletionFlag()
  private let models: ModelCatalog
  private let channel: ProtocolChannel<AACPProtocol>

  /// - Parameters:
  ///   - bearer: a connected channel of ``/HeadphoneProtocols/AACPPacket/psm``.
  ///   - emitter: where events go.
  public init(
    bearer: any Bearer, models: ModelCatalog = ModelCatalog(),
    clock: any Clock<Duration> = ContinuousClock(), emitter: EventEmitter
  ) {
    self.models = models
    self.emitter = emitter
    channel = ProtocolChannel(AACPProtocol(), on: bearer, clock: clock) {
      emitter.report($0)
    } reportChange: { [isComplete] language in
      // A switch may be reported later than all that the start waits for.
      guard isComplete.value.load(ordering: .relaxed) else { return }
      emitter.report(.described(language.description(by: models, packets: 0)))
    } reportEnd: { _ in
      emitter.finish()
    }
  }

  /// Shakes hands, asks for notifications, and waits for the first values.
  ///
  /// A question that stays unanswered takes its feature away.
  /// - Throws: ``/HeadphoneProtocols/HeadphoneError/notAHeadphone(missing:)`` where nobody answers
  ///   the handshake.
  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    emitter.report(.starting(.subscribing))
    await channel.listen()
    do throws(HeadphoneError) {
      try await channel.shakeHands()
    } catch {
      await channel.end(error)
      throw error
    }
    isComplete.value.store(true, ordering: .relaxed)
    return await channel.language.description(by: models, packets: channel.sent)
  }

  /// Asks all again, the handshake included.
  public func refresh() async throws(HeadphoneError) {
    isComplete.value.store(false, ordering: .relaxed)
    defer { isComplete.value.store(true, ordering: .relaxed) }
    try await channel.shakeHands()
    emitter.report(.described(await channel.language.description(by: models, packets: 0)))
  }

  /// Orders it and waits for the headphone's echo, at most twice.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    try await channel.perform(command)
  }
}

extension ProtocolChannel<AACPProtocol> {
  /// The handshake, on which all else depends, and the questions behind it.
  fileprivate func shakeHands() async throws(HeadphoneError) {
    let questions = questions()
    guard let handshake = questions.first else { return }
    do throws(HeadphoneError) {
      try await execute(handshake, attempts: 2)
    } catch .noResponse {
      throw .notAHeadphone(missing: "answer to the handshake of AirPods")
    }
    try await ask(Array(questions.dropFirst()))
    try await receiveRemaining()
  }
}

extension AACPProtocol {
  /// What the headphone has and is, by what it has reported so far.
  fileprivate func description(by models: ModelCatalog, packets: Int) -> HeadphoneDescription {
    HeadphoneDescription(
      driver: Self.name,
      capabilities: capabilities.narrowed(
        to: models.model(of: .airpods, number: information.model)),
      information: information, mtu: nil, requests: packets)
  }
}

/// Whether all that the headphone reports at the start, or when all is read again, is there.
final class CompletionFlag: Sendable {
  let value = Atomic(false)
}
