import BluetoothAttributes
import BluetoothRadio
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// The start with each model, from a connected bearer to ready.
@Suite struct StartTests {
  @Test func `the full model has everything`() async throws {
    let (listener, description) = try await Listener.started(.aurora)
    let can = description.capabilities
    #expect(can.ancModes == ANCMode.allCases && can.hasANCLevel)
    #expect(can.eqPresets == EQPreset.allCases && can.eqBands == 8)
    #expect(can.batteries == Part.allCases && can.hasCase)
    #expect(can.hasFind && can.hasTouchActions && can.declares(.wearDetection))
    #expect(can.hasRename && can.hasFactoryReset && can.hasFirmwareUpdate)
    #expect(description.information == VirtualModel.aurora.information)
    #expect(description.mtu == 517)
    #expect(description.driver == "Earshot protocol")
    await listener.driver.client.close()
  }

  @Test func `every known value is reported once after the phases`() async throws {
    let (listener, _) = try await Listener.started(.aurora)
    let flat = (0..<8).compactMap { _ in BandGain(halfDecibels: 0) }
    #expect(
      await listener.reported() == [
        .starting(.discoveringServices), .starting(.discoveringCharacteristics),
        .starting(.subscribing),
        .wearingChanged(Wearing(left: true, right: true)),
        .batteryChanged([
          .left: Battery(level: 84, isCharging: false),
          .right: Battery(level: 79, isCharging: false),
          .case: Battery(level: 62, isCharging: false),
        ]),
        .ancChanged(.noiseCancelling), .eqChanged(.balanced, bands: nil),
        .caseLidChanged(isOpen: false), .eqChanged(.balanced, bands: flat),
      ])
    await listener.driver.client.close()
  }

  @Test func `what a model lacks is absent`() async throws {
    let (listener, description) = try await Listener.started(.drift)
    let can = description.capabilities
    #expect(can.eqPresets == [] && can.eqBands == 0 && !can.hasCase && !can.hasFind)
    #expect(can.ancModes == [.off, .noiseCancelling, .transparency] && !can.hasANCLevel)
    #expect(can.batteries == [.left, .right])
    #expect(description.information.serial == nil)
    let reported = await listener.reported()
    #expect(
      !reported.contains {
        switch $0 {
        case .eqChanged, .caseLidChanged, .malformed: true
        default: false
        }
      })
    await listener.driver.client.close()
  }

  @Test func `long UUIDs and encryption make no difference`() async throws {
    let (listener, description) = try await Listener.started(.cipher)
    #expect(description.capabilities.eqBands == 5)
    #expect(description.information.serial == "CS-2210")
    #expect(await listener.driver.client.bearer.security == .medium)
    await listener.driver.client.close()
  }

  @Test func `an old headphone has what its attributes show`() async throws {
    let (listener, description) = try await Listener.started(.veteran)
    var can = Capabilities()
    can.ancModes = ANCMode.allCases
    can.eqPresets = EQPreset.allCases
    can.batteries = [.left]
    #expect(description.capabilities == can)
    #expect(description.mtu == 23)
    #expect(description.information == DeviceInformation(model: "Veteran", firmware: "12"))
    let reported = await listener.reported().dropFirst(3)
    #expect(
      reported == [
        .ancChanged(.noiseCancelling), .eqChanged(.balanced, bands: nil),
        .batteryChanged([.left: Battery(level: 18)]),
      ])
    await listener.driver.client.close()
  }

  @Test func `batteries are reported apart by descriptor and else by order`() async throws {
    for describes in [true, false] {
      var model = VirtualModel.aurora
      model.supportsCapabilities = false
      model.describesBatteries = describes
      model.batteries = [.case, .right, .left]
      let (listener, description) = try await Listener.started(model)
      #expect(description.capabilities.batteries == Part.allCases)
      let levels: [Part: UInt8] =
        describes
        ? [.left: 84, .right: 79, .case: 62] : [.left: 62, .right: 79, .case: 84]
      #expect(
        await listener.reported().last == .batteryChanged(levels.mapValues { Battery(level: $0) }))
      await listener.driver.client.close()
    }
  }

  @Test func `a device that is no headphone is named`() async throws {
    let phone = Phone()
    await phone.headphone.replaceServices { $0.dropLast() }
    let listener = try await Listener(phone)
    await #expect(throws: HeadphoneError.notAHeadphone(missing: "control service")) {
      try await listener.driver.start()
    }
    listener.emitter.finish()
    #expect(await listener.reportedToTheEnd().last == .starting(.discoveringCharacteristics))
  }

  @Test func `missing optional services switch nothing else off`() async throws {
    let phone = Phone()
    await phone.headphone.replaceServices { [$0[$0.count - 1]] }
    let listener = try await Listener(phone)
    let description = try await listener.driver.start()
    #expect(description.information == DeviceInformation())
    #expect(description.capabilities.ancModes == ANCMode.allCases)
    await listener.driver.client.close()
  }
}
