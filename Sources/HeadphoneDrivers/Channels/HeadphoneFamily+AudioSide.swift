internal import BluetoothAttributes
public import BluetoothCodec
public import BluetoothRadio
public import HeadphoneProtocols

extension HeadphoneFamily {
  /// Returns the driver for a channel of the BR/EDR side, or nil if no family uses it.
  ///
  /// - Parameters:
  ///   - forced: the family that the user named for a service that makers share, or nil.
  ///   - models: the models, of which that of AirPods narrows the capabilities.
  public static func driver(
    on bearer: any Bearer, forced: HeadphoneFamily? = nil, models: ModelCatalog = ModelCatalog(),
    clock: any Clock<Duration> = ContinuousClock(), emitter: EventEmitter
  ) -> (any HeadphoneDriver)? {
    guard let kind = DeviceKind(bearer.channel, forced: forced, drivers: models.drivers) else {
      return nil
    }
    if let notice = kind.notice { emitter.report(.noted(notice)) }
    switch kind.transport {
    case .controlService, .characteristics, .standardServices: return nil
    case .apple:
      return ProtocolDriver(
        AACPProtocol(), on: .bearer(bearer), clock: clock, emitter: emitter,
        reason: kind.reason, findModel: { models.model(of: kind.family, number: $0.model) })
    case .serial(_, let uuid):
      return kind.family.opened(on: uuid).map {
        ProtocolDriver(
          $0, on: .bearer(bearer), clock: clock, emitter: emitter, reason: kind.reason)
      }
    }
  }

  /// The pause before another attempt at a channel that another program keeps busy.
  private static let busyPause: Duration = .milliseconds(1500)
  /// The pause before a channel that was just closed, and may be refused, is tried again.
  private static let refusalPause: Duration = .milliseconds(1200)
  private static let mostRefusals = 3
  /// The time to respond on a channel that may belong to another service.
  private static let responseTimeout: Duration = .milliseconds(2500)

  /// Connects to the serial channel of a family on the BR/EDR side, or else to that of AirPods.
  ///
  /// A serial channel accepts one client at a time, and is often busy at the first attempt, which
  /// is repeated once after 1.5 s. If the records name several channels of the service, or none so
  /// that the family's own numbers are tried, the channel that responds in the family's protocol is
  /// used. Since a headphone may refuse a channel for a second or two after it was closed, all
  /// channels are then tried again.
  ///
  /// - Parameters:
  ///   - forced: the family that the user named for a service that makers share, or nil.
  ///   - drivers: the families of driver files, which precede the others.
  /// - Throws: `busy` if another program keeps the channel, `refused` if the headphone has none of
  ///   these channels, and errors of the radio.
  public static func connectAudioSide(
    of address: BluetoothAddress, forced: HeadphoneFamily? = nil,
    drivers: [HeadphoneFamily] = [], on radio: any Radio, timeout: Duration,
    clock: any Clock<Duration>
  ) async throws(RadioError) -> any Bearer {
    let records = try await records(of: address, forced: forced, on: radio)
    if Task.isCancelled { throw .cancelled }
    let kind = DeviceKind(records, forced: forced, drivers: drivers)
    guard case .serial(let service, let uuid) = kind.transport else {
      // A headphone of another vendor that has not reported its services is not AirPods; one
      // without a Device ID record may be.
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
    // With nil, the radio finds the channel itself.
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
          if let spoken = kind.family.opened(on: uuid),
            await responds(bearer, in: spoken, clock: clock)
          {
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

  /// Returns the service records, or empty ones for AirPods that the user named, which need none.
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

  /// Returns whether a channel answers the first requests in the family's protocol.
  private static func responds(
    _ bearer: any Bearer, in spoken: any HeadphoneProtocol, clock: any Clock<Duration>
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

private struct VendorBearer: ForwardingBearer {
  let base: any Bearer
  let channel: LinkChannel
}
