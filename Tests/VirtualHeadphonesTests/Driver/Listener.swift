import BluetoothAttributes
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import VirtualHeadphones

/// A started driver, its headphone, and the reported events.
final class Listener {
  let phone: Phone
  let driver: GATTDriver
  /// The driver's clock; whoever sleeps on it awaits a response.
  let clock = ManualClock()
  /// The emitter, for a start that failed, whose driver does not end the events.
  let emitter: EventEmitter
  private var events: HeadphoneEvents.AsyncIterator

  init(
    _ phone: Phone, profiles: [DeviceProfile] = [.earshot], cache: GATTCache? = nil,
    isBonded: Bool = false
  ) async throws {
    self.phone = phone
    let (emitter, events) = EventEmitter.makeEvents()
    self.emitter = emitter
    driver = GATTDriver(
      client: try await phone.connect(), profiles: profiles, forced: .earshot, clock: clock,
      cache: cache, isBonded: isBonded, emitter: emitter)
    self.events = events.makeAsyncIterator()
  }

  /// Connects to a headphone of this model, and starts the driver.
  static func started(
    _ model: VirtualModel = .aurora
  ) async throws -> (Listener, HeadphoneDescription) {
    let listener = try await Listener(Phone(model))
    let description = try await listener.driver.start()
    // What the driver does by itself after the start is done then.
    try await listener.driver.client.watchForServiceChanges()
    return (listener, description)
  }

  /// Returns the events up to now; a notified lid marks the end.
  func reported() async -> [HeadphoneEvent] {
    await phone.headphone.notify([0x7F, 0xEE])
    return await reported(until: .reportedError(.other(0xEE)))
  }

  /// Returns the events before `last`.
  func reported(until last: HeadphoneEvent) async -> [HeadphoneEvent] {
    var reported: [HeadphoneEvent] = []
    while let event = await events.next(), event != last { reported.append(event) }
    return reported
  }

  /// Returns all events until the link ends.
  func reportedToTheEnd() async -> [HeadphoneEvent] {
    var reported: [HeadphoneEvent] = []
    while let event = await events.next() { reported.append(event) }
    return reported
  }
}
