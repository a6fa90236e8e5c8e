public import Bluetooth
public import BluetoothCodec
internal import GATT
public import HeadphoneProtocols

extension HeadphoneFamily {
  /// The driver for a channel of the audio side; nil: no family uses it.
  ///
  /// - Parameters:
  ///   - forced: the family that a person says it is, where makers share a service.
  ///   - models: narrows the capabilities of AirPods to those of the model.
  public static func driver(
    on bearer: any Bearer, forced: HeadphoneFamily? = nil, models: ModelCatalog = ModelCatalog(),
    clock: any Clock<Duration> = ContinuousClock(), emitter: EventEmitter
  ) -> (any HeadphoneDriver)? {
    guard let kind = DeviceKind(bearer.channel, forced: forced) else { return nil }
    switch kind.transport {
    case .controlService, .characteristics, .standardServices: return nil
    case .apple:
      return ProtocolDriver(
        AACPProtocol(), on: .bearer(bearer), clock: clock, emitter: emitter,
        reason: kind.reason, findModel: { models.model(of: kind.family, number: $0.model) })
    case .serial(_, let uuid, let spoken):
      return ProtocolDriver(
        spoken.init(on: uuid), on: .bearer(bearer), clock: clock, emitter: emitter,
        reason: kind.reason)
    }
  }

  /// How long another program may take to leave a channel alone.
  private static let busyPause: Duration = .milliseconds(1500)
  /// The time for a response on a channel that may be another service's.
  private static let responseTimeout: Duration = .milliseconds(2500)

  /// Connects the controls on the audio side of a headphone: the serial channel of a family, else
  /// the channel of AirPods.
  ///
  /// One client at a time has a serial channel, and the first attempt often finds it busy: it is
  /// repeated once, after 1.5 s. Where no record names the channel, those of the family's service
  /// are tried, until one responds in the family's protocol.
  ///
  /// - Parameter forced: the family that a person says it is, where makers share a service.
  /// - Throws: `busy` where another program keeps it, and what the radio throws.
  public static func connectAudioSide(
    of address: BluetoothAddress, forced: HeadphoneFamily? = nil, on radio: any Radio,
    timeout: Duration, clock: any Clock<Duration>
  ) async throws(RadioError) -> any Bearer {
    // A device without a product record may still be one of AirPods' kind.
    let records = (try? await radio.serviceRecords(of: address)) ?? ServiceRecords()
    if Task.isCancelled { throw .cancelled }
    let kind = DeviceKind(records, forced: forced)
    guard case .serial(let service, let uuid, let spoken) = kind.transport else {
      return try await radio.connect(to: address, psm: AACPPacket.psm, timeout: timeout)
    }
    func connect(_ channel: UInt8?) async throws(RadioError) -> (any Bearer)? {
      try await radio.connect(
        to: address, service: uuid, channel: channel, timeout: timeout)
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
      VendorBearer(base: bearer, channel: .serial(uuid, vendor: service.vendor))
    }
    if records.serialServices.contains(uuid) {
      guard let bearer = try await bearer(on: nil) else { throw .refused }
      return named(bearer)
    }
    var failure = RadioError.refused
    for channel in service.channels {
      do throws(RadioError) {
        guard let bearer = try await bearer(on: channel) else { continue }
        if await responds(bearer, in: spoken.init(on: uuid), clock: clock) {
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

  /// Whether the family's protocol is spoken on a channel: its first queries have a response.
  private static func responds(
    _ bearer: any Bearer, in spoken: some SerialProtocol, clock: any Clock<Duration>
  ) async -> Bool {
    let timeout = Task {
      try? await clock.sleep(for: responseTimeout)
      if !Task.isCancelled { bearer.close(.connectTimeout) }
    }
    defer { timeout.cancel() }
    var spoken = spoken
    do {
      for value in spoken.questions().flatMap(\.values) { try await bearer.send(value) }
      while !spoken.isRecognised {
        for message in spoken.messages(in: try await bearer.receive()) {
          _ = spoken.receive(message)
        }
      }
      return true
    } catch {
      return false
    }
  }
}

/// A serial channel of which the maker is known.
private struct VendorBearer: ForwardingBearer {
  let base: any Bearer
  let channel: LinkChannel
}
