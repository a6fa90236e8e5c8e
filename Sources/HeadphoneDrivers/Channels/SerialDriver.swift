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

  /// Connects the controls on the audio side of a headphone: the serial channel of a family, else
  /// the channel of AirPods.
  ///
  /// One client at a time has a serial channel, and the first attempt often finds it busy: it is
  /// repeated once, after 1.5 s.
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
