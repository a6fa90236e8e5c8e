import BluetoothCodec
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing

@testable import BluetoothAttributes
@testable import VirtualHeadphones

/// A hearing aid with all standard services, which move at any time.
@Suite struct StandardServicesWalkTests {
  /// An aid, its driver and the driver's events.
  private struct Walk {
    let phone = Phone(.leftAid)
    let client: GATTClient
    let driver: GATTDriver
    let events: HeadphoneEvents
    private var random: SeededGenerator
    private var volume: UInt8 = 128

    init(seed: UInt64) async throws {
      random = SeededGenerator(seed: seed)
      await phone.headphone.move(by: 0)
      client = try await phone.connect()
      let (emitter, events) = EventEmitter.makeEvents()
      self.events = events
      driver = GATTDriver(client: client, clock: ManualClock(), emitter: emitter)
      _ = try await driver.start()
    }

    /// Returns when the client has received what the headphone has sent.
    func receive() async throws { _ = try await client.read(deviceName) }

    /// Performs one random event or command.
    mutating func step() async throws {
      switch random.below(6) {
      case 0: await phone.headphone.move(by: random.below(9))
      // In the moment of a change it may fail, as a command may.
      case 1: try? await driver.refresh()
      case 2:
        let level = random.below(100)
        let wanted = HeadphoneVolume(level: UInt8(level), isMuted: random.below(2) == 1)
        guard await isDone(.setVolume(wanted)) else { break }
        let bytes = await phone.headphone.value(of: .volumeState)
        let state = try VolumeState(decoding: (bytes ?? [])[...])
        #expect(state.volume.level == level)
        volume = state.setting
      case 3:
        let presets: [(name: String, index: UInt8)] = [
          ("everyday", 1), ("restaurant", 2), ("outdoors", 4), ("music", 7),
        ]
        let preset = presets[random.below(presets.count)]
        guard await isDone(.set(.preset, .choice(preset.name))) else { break }
        #expect(await phone.headphone.value(of: .activePreset) == [preset.index])
      case 4:
        let isMuted = random.below(2) == 1
        guard await isDone(.set(.microphoneMuted, .toggle(isMuted))) else { break }
        #expect(await phone.headphone.value(of: .microphoneMute) == [isMuted ? 1 : 0])
      default: try await turnWheel()
      }
      for _ in 0..<random.below(20) { _ = await client.mtu }
    }

    private func isDone(_ command: HeadphoneCommand) async -> Bool {
      (try? await driver.perform(command)) != nil
    }

    /// Changes the volume on the headphone; the counter stays, as the virtual headphone ignores
    /// commands with another one.
    mutating func turnWheel() async throws {
      volume = volume &+ 64
      let counter = await phone.headphone.value(of: .volumeState)?.last ?? 0
      let state = VolumeState(setting: volume, isMuted: false, counter: counter)
      await phone.headphone.change(.volumeState, to: state.encoded())
      try await receive()
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `what a command reports has happened, and each value is received once`(
    seed: UInt64
  ) async throws {
    var walk = try await Walk(seed: seed)
    for _ in 0..<25 { try await walk.step() }
    await walk.phone.headphone.move(by: 4)
    try await walk.receive()
    // The services are looked up first.
    try await walk.driver.refresh()
    let receivers = await walk.client.subscribers.receivers
    #expect(receivers.values.allSatisfy { $0.count == 1 })
    let state = VolumeState(setting: 255, isMuted: true, counter: 99)
    await walk.phone.headphone.change(.volumeState, to: state.encoded())
    await walk.phone.headphone.change(BatteryUUIDs.standard.level, to: [7])
    try await walk.receive()
    await walk.client.close()
    #expect(await walk.client.subscribers.receivers.isEmpty)
    let events = await walk.events.reduce(into: []) { $0.append($1) }
    #expect(events.count { $0 == .volumeChanged(state.volume) } == 1)
    #expect(events.count { $0 == .batteryChanged([.left: Battery(level: 7)]) } == 1)
  }

  @Test func `a wheel that is turned after the services have moved is known to a command`()
    async throws
  {
    var walk = try await Walk(seed: 0)
    try await walk.driver.perform(.setVolume(HeadphoneVolume(level: 60, isMuted: false)))
    await walk.phone.headphone.move(by: 3)
    try await walk.receive()
    try await walk.driver.perform(.setVolume(HeadphoneVolume(level: 60, isMuted: false)))
    try await walk.turnWheel()
    try await walk.driver.perform(.setVolume(HeadphoneVolume(level: 60, isMuted: false)))
    let bytes = await walk.phone.headphone.value(of: .volumeState)
    #expect(try VolumeState(decoding: (bytes ?? [])[...]).volume.level == 60)
    await walk.client.close()
  }
}

/// The handle of Device Name, which does not move.
private let deviceName: UInt16 = 3

extension VirtualHeadphone {
  /// Moves all services but the first two behind a service of `count` characteristics.
  fileprivate func move(by count: Int) {
    let types: [BluetoothUUID] = [
      .volumeState, .activePreset, .offsetState, .inputState, .microphoneMute,
    ]
    let values = Dictionary(uniqueKeysWithValues: types.map { ($0, value(of: $0)) })
    replaceServices { services in
      let filler = ServiceDefinition(
        .bit16(0xFD00),
        (0...count).map { CharacteristicDefinition(.bit16(0xFD10 + UInt16($0)), .read, value: [0]) }
      )
      let moved = services.dropFirst(2).map { service in
        var service = service
        for index in service.characteristics.indices {
          let type = service.characteristics[index].uuid
          if let value = values[type] ?? nil { service.characteristics[index].value = value }
        }
        return service
      }
      return Array(services.prefix(2)) + (count > 0 ? [filler] : []) + moved
    }
  }
}
