public import Bluetooth
public import BluetoothCodec
internal import GATT
public import HeadphoneProtocols
internal import Synchronization

/// The driver for headphones whose language is spoken over a serial channel of the audio side.
///
/// It runs on the bearer's executor and does not close it.
public final class SerialDriver<Language: SerialProtocol>: HeadphoneDriver {
  /// Rounds of questions at most, each of which may depend on the answers before.
  private static var mostRounds: Int { 8 }

  private let emitter: EventEmitter
  private let models: ModelCatalog
  private let channel: ProtocolChannel<Language>
  private let isDescribed = CompletionFlag()

  /// - Parameters:
  ///   - language: for the service whose channel this is.
  ///   - bearer: a connected serial channel, not used before.
  ///   - emitter: where events go.
  public init(
    _ language: Language, on bearer: any Bearer, models: ModelCatalog,
    clock: any Clock<Duration> = ContinuousClock(), emitter: EventEmitter
  ) {
    self.emitter = emitter
    self.models = models
    channel = ProtocolChannel(language, on: bearer, clock: clock) {
      emitter.report($0)
    } reportChange: { [isDescribed] language in
      guard isDescribed.value.load(ordering: .relaxed) else { return }
      emitter.report(.described(language.description(by: models, packets: 0)))
    } reportEnd: { _ in
      emitter.finish()
    }
  }

  /// Asks the first questions, and those that follow from their answers.
  ///
  /// - Throws: ``/HeadphoneProtocols/HeadphoneError/notAHeadphone(missing:)`` where nothing answers
  ///   in this protocol.
  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    emitter.report(.starting(.subscribing))
    await channel.listen()
    do throws(HeadphoneError) {
      try await readAll()
    } catch {
      await channel.end(error)
      throw error
    }
    isDescribed.value.store(true, ordering: .relaxed)
    return await channel.language.description(by: models, packets: channel.sent)
  }

  private func readAll() async throws(HeadphoneError) {
    try await channel.ask(await channel.questions(), attempts: 3)
    guard await channel.language.isRecognised else {
      throw .notAHeadphone(missing: "answer in the language of \(Language.name)")
    }
    for _ in 0..<Self.mostRounds {
      let questions = await channel.furtherQuestions()
      guard !questions.isEmpty else { return }
      // An unanswered question takes its feature away: to repeat it would only cost time.
      try await channel.ask(questions, attempts: 1)
    }
  }

  /// Asks all again.
  public func refresh() async throws(HeadphoneError) {
    isDescribed.value.store(false, ordering: .relaxed)
    defer { isDescribed.value.store(true, ordering: .relaxed) }
    try await readAll()
    emitter.report(.described(await channel.language.description(by: models, packets: 0)))
  }

  /// Orders it and waits for the headphone's report, at most twice.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    try await channel.perform(command)
  }
}

extension SerialProtocol {
  /// What the headphone has and is, by what it has reported so far.
  fileprivate func description(by models: ModelCatalog, packets: Int) -> HeadphoneDescription {
    HeadphoneDescription(
      driver: Self.name, capabilities: capabilities, information: information, mtu: nil,
      requests: packets)
  }
}

extension HeadphoneFamily {
  /// The driver for the headphone on a serial channel; nil: no family speaks on this service.
  public static func driver(
    on bearer: any Bearer, models: ModelCatalog, clock: any Clock<Duration>, emitter: EventEmitter
  ) -> (any HeadphoneDriver)? {
    guard case .serial(let service, let vendor) = bearer.channel,
      let family = serial([service], vendor: vendor)
    else { return nil }
    func driver(_ language: some SerialProtocol) -> any HeadphoneDriver {
      SerialDriver(language, on: bearer, models: models, clock: clock, emitter: emitter)
    }
    return driver(family.language.init(on: service))
  }

  /// How long another program may take to leave a channel alone.
  private static let busyPause: Duration = .milliseconds(1500)

  /// Connects the controls on the audio side of a headphone: the serial channel of a family, else
  /// the channel of AirPods.
  ///
  /// One client at a time has a serial channel, and the first attempt often finds it busy: it is
  /// repeated once.
  /// - Throws: `busy` where another program keeps it.
  public static func connectAudioSide(
    of address: BluetoothAddress, on radio: any Radio, timeout: Duration,
    clock: any Clock<Duration>
  ) async throws(RadioError) -> any Bearer {
    // A device without a product record may still be one of AirPods' kind.
    let records = (try? await radio.serviceRecords(of: address)) ?? ServiceRecords()
    if Task.isCancelled { throw .cancelled }
    let vendor = records.product?.vendor
    guard let family = serial(records.serialServices, vendor: vendor) else {
      return try await radio.connect(to: address, psm: AACPPacket.psm, timeout: timeout)
    }
    let bearer: (any Bearer)?
    do throws(RadioError) {
      bearer = try await radio.connect(to: address, service: family.uuid, timeout: timeout)
    } catch .busy {
      try? await clock.sleep(for: busyPause)
      if Task.isCancelled { throw .cancelled }
      bearer = try await radio.connect(to: address, service: family.uuid, timeout: timeout)
    }
    guard let bearer else { throw .refused }
    return MakersBearer(base: bearer, channel: .serial(family.uuid, vendor: family.service.vendor))
  }
}

/// A serial channel of which the maker is known.
private struct MakersBearer: ForwardingBearer {
  let base: any Bearer
  let channel: LinkChannel
}
