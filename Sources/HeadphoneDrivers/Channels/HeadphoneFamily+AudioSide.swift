public import Bluetooth
public import BluetoothCodec
internal import GATT
public import HeadphoneProtocols

extension HeadphoneFamily {
  /// The driver for a channel of the audio side; nil: no family uses it.
  ///
  /// - Parameter models: narrows the capabilities of AirPods to those of the model.
  public static func driver(
    on bearer: any Bearer, models: ModelCatalog = ModelCatalog(),
    clock: any Clock<Duration> = ContinuousClock(), emitter: EventEmitter
  ) -> (any HeadphoneDriver)? {
    switch bearer.channel {
    case .attributes: return nil
    case .classic:
      return ProtocolDriver(
        AACPProtocol(), on: .bearer(bearer), clock: clock, emitter: emitter,
        findModel: { models.model(of: .airpods, number: $0.model) })
    case .serial(let service, let vendor):
      guard let family = serial([service], vendor: vendor) else { return nil }
      return ProtocolDriver(
        family.language.init(on: service), on: .bearer(bearer), clock: clock, emitter: emitter)
    }
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
