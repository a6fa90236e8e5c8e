import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

@Suite struct ScanTests {
  private let clock = ManualClock()

  private func environment() -> VirtualRadio { .environment(loop: Phone.loop, clock: clock) }

  /// Returns the peripherals of one round of a scan.
  private func received(_ options: ScanOptions, on radio: VirtualRadio) async throws
    -> [DiscoveredPeripheral]
  {
    var options = options
    options.duration = .zero
    return try await radio.scan(options).reduce(into: []) { $0.append($1) }
  }

  @Test func `the environment is received by its services`() async throws {
    let options = ScanOptions(services: DeviceProfile.earshot.advertisedServices)
    let peripherals = try await received(options, on: environment())
    #expect(
      peripherals.compactMap(\.data.localName) == [
        "Aurora Buds", "Drift Neckband", "Cipher Studio", "Veteran 2018",
      ])
    let advertised = peripherals.compactMap { HeadphoneAdvertisement($0.data) }
    #expect(advertised.count == 3)
    #expect(advertised.first?.battery.left == 84)
    #expect(advertised[1].battery.case == nil)
  }

  @Test func `filters apply`() async throws {
    let radio = environment()
    #expect(try await received(ScanOptions(services: [.bit16(0x180D)]), on: radio) == [])
    #expect(try await received(ScanOptions(rssiFloor: -72), on: radio).count == 3)
    let named = try await received(ScanOptions(name: "NECK"), on: radio)
    #expect(named.compactMap(\.data.localName) == ["Drift Neckband"])
  }

  @Test func `a scan hears again and ends in time`() async throws {
    let radio = environment()
    let peripherals = Task {
      try await radio.scan(ScanOptions(duration: .seconds(2))).reduce(into: []) { $0.append($1) }
    }
    for _ in 0..<2 {
      await clock.pass(.seconds(1))
    }
    #expect(try await peripherals.value.count == 12)
    #expect(clock.sleeping == 0)
  }

  @Test func `a connected headphone is silent`() async throws {
    let radio = environment()
    let bearer = try await radio.connect(to: VirtualModel.drift.address, timeout: .seconds(10))
    #expect(try await received(ScanOptions(), on: radio).count == 3)
    bearer.close(.user)
  }

  @Test func `an adapter that is off says so`() async throws {
    let radio = environment()
    let bearer = try await radio.connect(to: VirtualModel.drift.address, timeout: .seconds(10))
    var changes = radio.adapterChanges().makeAsyncIterator()
    await radio.setPowered(false)
    #expect(await changes.next() != nil)
    await #expect(throws: BearerClosed(.adapterGone)) { try await bearer.receive() }
    let off = RadioError.poweredOff(adapter: "virtual")
    await #expect(throws: off) { try await received(ScanOptions(), on: radio) }
    await #expect(throws: off) {
      try await radio.connect(to: VirtualModel.drift.address, timeout: .seconds(10))
    }
    #expect(try await radio.adapters().map(\.isPowered) == [false])
  }

  @Test func `long names are shortened at a character`() async throws {
    var model = VirtualModel.aurora
    model.name = "Ein sehr läutes Kästchen"
    let headphone = VirtualHeadphone(model, loop: Phone.loop, clock: clock)
    let radio = VirtualRadio(headphones: [headphone], clock: clock)
    let peripheral = try #require(try await received(ScanOptions(), on: radio).first)
    #expect(peripheral.data.localName == "Ein sehr läute")
    #expect(
      peripheral.data.structures.contains {
        if case .localName(_, isComplete: false) = $0 { true } else { false }
      })
  }
}
