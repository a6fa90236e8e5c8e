public import Companion
public import GATT
public import Headphones

/// A driver whose discovery is kept for the next connection.
struct CachingDriver: HeadphoneDriver {
  private let driver: ChosenDriver
  private let client: GATTClient
  private let id: HeadphoneID
  private let known: KnownHeadphones
  private let cache: GATTCache?

  init(
    _ bearer: any Bearer, _ id: HeadphoneID, profiles: [DeviceProfile], forced: HeadphoneFamily?,
    models: ModelBook, known: KnownHeadphones, clock: any Clock<Duration>,
    report: @escaping @Sendable (ATTIncident) -> Void
  ) {
    self.id = id
    self.known = known
    cache = known.cache(of: id)
    client = GATTClient(bearer: bearer, clock: clock, options: GATTOptions(report: report))
    driver = ChosenDriver(
      client: client, profiles: profiles, forced: forced, models: models, clock: clock,
      cache: cache)
  }

  var events: AsyncStream<HeadphoneEvent> { driver.events }

  var firmwareLink: (any FirmwareLink)? { driver.firmwareLink }

  var attributes: GATTClient? { client }

  func start() async throws(HeadphoneError) -> HeadphoneDescription {
    let description = try await driver.start()
    if let learnt = await client.cache, learnt != cache {
      // The next connection takes a few requests more; nothing else depends on it.
      try? known.keep(learnt, of: id)
    }
    return description
  }

  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    try await driver.perform(command)
  }

  func refresh() async throws(HeadphoneError) { try await driver.refresh() }
}

extension [DeviceProfile] {
  /// Makes drivers that keep what they discovered with what is known of their headphones.
  ///
  /// - Parameters:
  ///   - forced: the family that a person says all headphones are of; nil: their services tell.
  ///   - models: what is known of kinds of headphones as data.
  ///   - clock: measures how long a headphone may take to answer.
  ///   - report: told what should not be on a link, and did not end it.
  public func drivers(
    keepingIn known: KnownHeadphones, forced: HeadphoneFamily? = nil,
    models: ModelBook = ModelBook(), clock: any Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (HeadphoneID, ATTIncident) -> Void = { _, _ in }
  ) -> Session.MakeDriver {
    { bearer, id in
      // Whatever a person says: no other language is spoken there.
      if case .classic = bearer.channel {
        return AACPDriver(bearer: bearer, models: models, clock: clock)
      }
      return CachingDriver(
        bearer, id, profiles: self, forced: forced, models: models, known: known, clock: clock
      ) {
        report(id, $0)
      }
    }
  }
}
