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
  /// How long a headphone may refuse a channel that has just been closed, and how often it is tried.
  private static let refusalPause: Duration = .milliseconds(1200)
  private static let mostRefusals = 3
  /// The time for a response on a channel that may be another service's.
  private static let responseTimeout: Duration = .milliseconds(2500)

  /// Connects the controls on the audio side of a headphone: the serial channel of a family, else
  /// the channel of AirPods.
  ///
  /// One client at a time has a serial channel, and the first attempt often finds it busy: it is
  /// repeated once, after 1.5 s. Where records name several channels, or none does and those of the
  /// family's service are tried, it is the one that responds in the family's protocol. A headphone may
  /// refuse a channel for a second or two after it was closed: all are then tried again.
  ///
  /// - Parameter forced: the family that a person says it is, where makers share a service.
  /// - Throws: `busy` where another program keeps it, `refused` where it has none of these channels,
  ///   and what the radio throws.
  public static func connectAudioSide(
    of address: BluetoothAddress, forced: HeadphoneFamily? = nil, on radio: any Radio,
    timeout: Duration, clock: any Clock<Duration>
  ) async throws(RadioError) -> any Bearer {
    let records = try await records(of: address, forced: forced, on: radio)
    if Task.isCancelled { throw .cancelled }
    let kind = DeviceKind(records, forced: forced)
    guard case .serial(let service, let uuid, let spoken) = kind.transport else {
      // Another maker's that has not reported its services is no AirPods; without a product record it
      // may be.
      if forced != .airpods, let vendor = records.product?.vendor,
        vendor != ProximityAdvertisement.company
      {
        throw .refused
      }
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
    // Nil: the radio finds the channel itself.
    var channels: [UInt8?] = service.channels
    let isNamed = records.serialServices.contains(uuid)
    if isNamed {
      let numbers = try await radio.serialChannels(of: address, service: uuid)
      channels = numbers.isEmpty ? [nil] : numbers
    }
    let isCertain = isNamed && channels.count == 1
    var failure = RadioError.refused
    for attempt in 1...mostRefusals {
      if attempt > 1 { try? await clock.sleep(for: refusalPause) }
      var isRefused = false
      for channel in channels {
        if Task.isCancelled { throw .cancelled }
        do throws(RadioError) {
          guard let bearer = try await bearer(on: channel) else { continue }
          if isCertain { return named(bearer) }
          if await responds(bearer, in: spoken.init(on: uuid), clock: clock) {
            return named(bearer)
          }
          bearer.close(.user)
        } catch .refused {
          isRefused = true
        } catch {
          failure = error
        }
      }
      if Task.isCancelled { throw .cancelled }
      guard isRefused, failure == .refused else { break }
    }
    throw failure
  }

  /// The service records of a headphone; those of AirPods that a person has named are not needed.
  private static func records(
    of address: BluetoothAddress, forced: HeadphoneFamily?, on radio: any Radio
  ) async throws(RadioError) -> ServiceRecords {
    do throws(RadioError) {
      return try await radio.serviceRecords(of: address)
    } catch {
      guard forced == .airpods else { throw error }
      return ServiceRecords()
    }
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
