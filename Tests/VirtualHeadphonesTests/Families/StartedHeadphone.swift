import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Configuration
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing

@testable import VirtualHeadphones

/// A virtual headphone whose driver has started on the family's channel.
struct StartedHeadphone {
  let driver: any HeadphoneDriver
  let description: HeadphoneDescription
  let events: HeadphoneEvents
  /// The quality of its link after the start.
  let quality: LinkQuality
  /// Ends the link, and the event stream after the reported events.
  let close: @Sendable () async -> Void

  var capabilities: Capabilities { description.capabilities }

  init(_ model: VirtualModel) async throws {
    let clock = ManualClock()
    let phone = Phone(model.timed(by: clock))
    let (emitter, events) = EventEmitter.makeEvents()
    self.events = events
    guard let address = model.audioControls else {
      let client = try await phone.connect()
      driver = GATTDriver(client: client, models: .bundled, clock: clock, emitter: emitter)
      description = try await driver.start()
      quality = await client.bearer.measure()
      close = {
        await client.close()
        emitter.finish()
      }
      return
    }
    let forced = Self.family(sharing: model)
    let bearer = try await HeadphoneFamily.connectAudioSide(
      of: address, forced: forced, on: phone.radio, timeout: .seconds(1), clock: clock)
    driver = try #require(
      HeadphoneFamily.driver(
        on: bearer, forced: forced, clock: clock, emitter: emitter))
    description = try await driver.start()
    quality = await bearer.measure()
    close = {
      bearer.close(.user)
      emitter.finish()
    }
  }

  /// Returns the family that the user has to name because makers share the service.
  static func family(sharing model: VirtualModel) -> HeadphoneFamily? {
    guard case .serial(let serial)? = model.family else { return nil }
    return HeadphoneFamily.allCases.first { family in
      family.serialProtocol?.services.contains {
        $0.isShared && $0.uuid == serial.headphone.service
      } == true && family.serialProtocol?.formats.contains(serial.headphone.format) == true
    }
  }
}

extension VirtualModel {
  /// The address of the BR/EDR side of a headphone that is controlled there, or nil if on LE.
  var audioControls: BluetoothAddress? { family?.isOnLE == false ? audioAddress : nil }

  /// The headphones of other makers with controls, at least one of each family.
  static let controlled: [VirtualModel] =
    (families + leAudio).filter { if case .proximity? = $0.family { false } else { true } }
    + [
      .serial(40, "1MORE SonoFlow", VirtualOneMore(level: 80)),
      .serial(41, "EAH-AZ80", VirtualTechnics(levels: [80, 90, nil])),
      .serial(42, "EDIFIER W820NB", VirtualEdifier(levels: [77], in: .old)),
      .serial(43, "MOONDROP Pudding", VirtualMoondrop(levels: [80, 75, 60])),
    ]
}

extension SerialProtocol {
  /// The framings of both sides.
  fileprivate static var formats: [FrameFormat] { Frame.formats }
}

extension VirtualFamily {
  /// Whether the controls are on LE.
  fileprivate var isOnLE: Bool {
    switch self {
    case .serial, .airPods: false
    default: true
    }
  }
}
