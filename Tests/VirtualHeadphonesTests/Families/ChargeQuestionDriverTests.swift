import BluetoothAttributes
import BluetoothCodec
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing

@testable import VirtualHeadphones

/// Requests for the charge alone, to headphones that may not report it.
@Suite struct ChargeQuestionDriverTests {
  /// Nothing's headphone, which counts requests.
  private struct Asked: VirtualLEHeadphone {
    var base: VirtualNothing
    var commands: [UInt16] = []

    var service: BluetoothUUID { base.service }
    var write: BluetoothUUID { base.write }
    var writing: CharacteristicProperties { base.writing }
    var notify: BluetoothUUID { base.notify }
    var advertised: [AdvertisingStructure] { base.advertised }

    mutating func respond(to value: Bytes) -> [[UInt8]] {
      if let frame = try? NothingFrame(decoding: value) { commands.append(frame.command) }
      return base.respond(to: value)
    }
  }

  @Test func `it costs one exchange`() async throws {
    var model = VirtualModel.nothing
    model.family = .lowEnergy(
      VirtualLE(
        Asked(
          base: VirtualNothing(
            battery: NothingBattery(.parts([.left: Battery(level: 60, isCharging: false)])),
            noise: nil, firmware: "1"))))
    let phone = Phone(model)
    let (emitter, events) = EventEmitter.makeEvents()
    let client = try await phone.connect()
    let driver = GATTDriver(client: client, clock: ManualClock(), emitter: emitter)
    #expect(try await driver.start().isChargeAsked)
    func commands() async -> [UInt16] {
      guard case .lowEnergy(let own) = await phone.headphone.family else { return [] }
      return (own.headphone as? Asked)?.commands ?? []
    }
    let before = await commands().count
    try await driver.readCharge()
    #expect(await Array(commands().dropFirst(before)) == [NothingCommand.readBattery])
    await client.close()
    _ = await events.reduce(into: 0) { count, _ in count += 1 }
  }

  @Test(arguments: VirtualModel.controlled)
  func `only Nothing's headphones are asked`(model: VirtualModel) async throws {
    let headphone = try await StartedHeadphone(model)
    #expect(
      headphone.description.isChargeAsked == (headphone.description.driver == NothingProtocol.name))
    await headphone.close()
  }
}
