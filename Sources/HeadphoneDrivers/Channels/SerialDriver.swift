public import Bluetooth
public import BluetoothCodec
internal import GATT
public import HeadphoneProtocols

extension ChannelDriver where Language: SerialProtocol {
  /// The driver for a serial channel of the audio side.
  ///
  /// - Parameters:
  ///   - language: for the service whose channel this is.
  ///   - bearer: a connected serial channel, not used before.
  fileprivate convenience init(
    _ language: Language, on bearer: any Bearer, clock: any Clock<Duration>, emitter: EventEmitter
  ) {
    self.init(language, on: bearer, clock: clock, emitter: emitter) { language, packets in
      HeadphoneDescription(
        driver: Language.name, capabilities: language.capabilities,
        information: language.information, mtu: nil, requests: packets)
    } readAll: { channel throws(HeadphoneError) in
      try await channel.readAll()
    }
  }
}

extension ProtocolChannel where Language: SerialProtocol {
  /// Rounds of questions at most, each of which may depend on the answers before.
  private static var mostRounds: Int { 8 }

  /// Asks the first questions, and those that follow from their answers.
  ///
  /// - Throws: `notAHeadphone` if no answer is in this protocol; the channel's end.
  fileprivate func readAll() async throws(HeadphoneError) {
    try await ask(questions(), attempts: 3)
    guard language.isRecognised else {
      throw .notAHeadphone(missing: "answer in the protocol of \(Language.name)")
    }
    for _ in 0..<Self.mostRounds {
      let questions = furtherQuestions()
      guard !questions.isEmpty else { return }
      // An unanswered question takes its feature away: to repeat it would only cost time.
      try await ask(questions, attempts: 1)
    }
  }
}

extension HeadphoneFamily {
  /// The driver for the headphone on a serial channel; nil: no family uses this service.
  public static func driver(
    on bearer: any Bearer, clock: any Clock<Duration>, emitter: EventEmitter
  ) -> (any HeadphoneDriver)? {
    guard case .serial(let service, let vendor) = bearer.channel,
      let family = serial([service], vendor: vendor)
    else { return nil }
    func driver(_ language: some SerialProtocol) -> any HeadphoneDriver {
      ChannelDriver(language, on: bearer, clock: clock, emitter: emitter)
    }
    return driver(family.language.init(on: service))
  }

  /// How long another program may take to leave a channel alone.
  private static let busyPause: Duration = .milliseconds(1500)
  /// The time for an answer on a channel that may be another service's.
  private static let answerTimeout: Duration = .milliseconds(2500)

  /// Connects the controls on the audio side of a headphone: the serial channel of a family, else
  /// the channel of AirPods.
  ///
  /// One client at a time has a serial channel, and the first attempt often finds it busy: it is
  /// repeated once, after 1.5 s. Where no record names the channel, those of the family's service
  /// are tried, until one answers in the family's language.
  ///
  /// - Throws: `busy` where another program keeps it, and what the radio throws.
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
    func connect(_ channel: UInt8?) async throws(RadioError) -> (any Bearer)? {
      try await radio.connect(
        to: address, service: family.uuid, channel: channel, timeout: timeout)
    }
    func bearer(on channel: UInt8?) async throws(RadioError) -> (any Bearer)? {
      do throws(RadioError) {
        return try await connect(channel)
      } catch .busy {
        try? await clock.sleep(for: busyPause)
        if Task.isCancelled { throw .cancelled }
        return try await connect(channel)
      }
    }
    func named(_ bearer: any Bearer) -> any Bearer {
      MakersBearer(base: bearer, channel: .serial(family.uuid, vendor: family.service.vendor))
    }
    if records.serialServices.contains(family.uuid) {
      guard let bearer = try await bearer(on: nil) else { throw .refused }
      return named(bearer)
    }
    var failure = RadioError.refused
    for channel in family.service.channels {
      do throws(RadioError) {
        guard let bearer = try await bearer(on: channel) else { continue }
        if await answers(bearer, in: family.language.init(on: family.uuid), clock: clock) {
          return named(bearer)
        }
        bearer.close(.user)
      } catch {
        failure = error
      }
      if Task.isCancelled { throw .cancelled }
    }
    throw failure
  }

  /// Whether the family's language is spoken on a channel: its first questions are answered.
  private static func answers(
    _ bearer: any Bearer, in language: some SerialProtocol, clock: any Clock<Duration>
  ) async -> Bool {
    let timeout = Task {
      try? await clock.sleep(for: answerTimeout)
      if !Task.isCancelled { bearer.close(.connectTimeout) }
    }
    defer { timeout.cancel() }
    var language = language
    do {
      for value in language.questions().flatMap(\.values) { try await bearer.send(value) }
      while !language.isRecognised {
        for message in language.messages(in: try await bearer.receive()) {
          _ = language.receive(message)
        }
      }
      return true
    } catch {
      return false
    }
  }
}

/// A serial channel of which the maker is known.
private struct MakersBearer: ForwardingBearer {
  let base: any Bearer
  let channel: LinkChannel
}
