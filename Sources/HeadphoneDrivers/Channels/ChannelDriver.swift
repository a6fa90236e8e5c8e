internal import Bluetooth
internal import BluetoothCodec
internal import GATT
public import HeadphoneProtocols
internal import Locking

/// The driver for headphones whose protocol is spoken on a channel of its own, without GATT.
///
/// It runs on the bearer's executor and does not close it. ``AACPDriver`` is the one for AirPods;
/// those of serial channels come from ``/HeadphoneProtocols/HeadphoneFamily``:
///
/// ```swift
/// let driver = HeadphoneFamily.driver(on: bearer, clock: clock, emitter: emitter)
/// let description = try await driver?.start()
/// try await driver?.perform(.setANC(.transparency))
/// ```
public final class ChannelDriver<Language: HeadphoneProtocol>: HeadphoneDriver {
  private let emitter: EventEmitter
  private let channel: ProtocolChannel<Language>
  /// Asks all questions of the protocol.
  private let readAll: @Sendable (ProtocolChannel<Language>) async throws(HeadphoneError) -> Void
  /// Describes the headphone by its reports, and the packets that it took.
  private let describe: @Sendable (Language, _ packets: Int) -> HeadphoneDescription
  /// False while all is read: changes of the description are then not reported one by one.
  private let isComplete = CompletionFlag()

  /// Creates a driver; nothing is sent before ``start()``.
  ///
  /// - Parameters:
  ///   - language: the protocol's value.
  ///   - bearer: a connected channel, not used before.
  ///   - clock: by which answers are awaited.
  ///   - emitter: where events go.
  ///   - describe: the headphone's capabilities and information, by its reports.
  ///   - readAll: asks all questions, at the start and again.
  init(
    _ language: Language, on bearer: any Bearer, clock: any Clock<Duration>, emitter: EventEmitter,
    describe: @escaping @Sendable (Language, _ packets: Int) -> HeadphoneDescription,
    readAll: @escaping @Sendable (ProtocolChannel<Language>) async throws(HeadphoneError) -> Void
  ) {
    self.emitter = emitter
    self.describe = describe
    self.readAll = readAll
    channel = ProtocolChannel(language, on: bearer, clock: clock) {
      emitter.report($0)
    } reportChange: { [isComplete] language in
      // A feature may be reported later than all that the start waits for.
      guard isComplete.value.load(ordering: .relaxed) else { return }
      emitter.report(.described(describe(language, 0)))
    } reportEnd: { _ in
      emitter.finish()
    }
  }

  /// Asks all questions, and waits for the first values.
  ///
  /// A question that stays unanswered takes its feature away.
  ///
  /// - Throws: ``/HeadphoneProtocols/HeadphoneError/notAHeadphone(missing:)`` where nothing answers
  ///   in this language.
  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    emitter.report(.starting(.subscribing))
    await channel.listen()
    do throws(HeadphoneError) {
      try await readAll(channel)
    } catch {
      await channel.end(error)
      throw error
    }
    isComplete.value.store(true, ordering: .relaxed)
    return describe(await channel.language, await channel.sent)
  }

  /// Asks all again.
  ///
  /// - Throws: as ``start()``; the new description is reported as an event.
  public func refresh() async throws(HeadphoneError) {
    isComplete.value.store(false, ordering: .relaxed)
    defer { isComplete.value.store(true, ordering: .relaxed) }
    try await readAll(channel)
    emitter.report(.described(describe(await channel.language, 0)))
  }

  /// Sends a command and waits for the headphone's report, at most twice.
  ///
  /// - Throws: `unsupported` or `refused` where the headphone does not do it, `noResponse` after
  ///   the second attempt.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    try await channel.perform(command)
  }
}

/// Whether all that the headphone reports at the start, or when all is read again, is there.
private final class CompletionFlag: Sendable {
  let value = Atomic(false)
}
