import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Configuration
import EventLoop
import Foundation
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing

@testable import VirtualHeadphones

/// A headphone of a maker that only a driver file knows.
@Suite struct DriverFileDriverTests {
  /// Returns the example of docs/driver-files.md.
  private static func example(_ id: String = "example", allow: Bool) throws -> HeadphoneFamily {
    let page = try GeneratedPage("driver-files.md").text()
    let text = try #require(
      page.components(separatedBy: "```toml\n").last?.components(separatedBy: "```").first)
    let lines = allow ? text : text.replacing("allow = \"write\"\n", with: "")
    let (table, mistakes) = DriverTable.read(lines.utf8, id: id, file: "\(id).toml")
    #expect(mistakes == [])
    return HeadphoneFamily(try #require(table))
  }

  private struct Conversation {
    let phone: Phone
    let client: GATTClient
    let driver: GATTDriver
    let events: HeadphoneEvents

    init(_ drivers: [HeadphoneFamily], forced: HeadphoneFamily? = nil) async throws {
      let model = try #require(VirtualModel.unknown.first)
      phone = Phone(model)
      client = GATTClient(bearer: try await phone.bearer(), clock: phone.requestClock)
      let (emitter, events) = EventEmitter.makeEvents()
      self.events = events
      var models = ModelCatalog.bundled
      models.drivers = drivers
      driver = GATTDriver(
        client: client, forced: forced, models: models, clock: ManualClock(), emitter: emitter)
    }

    func reported() async -> [HeadphoneEvent] {
      await client.close()
      return await events.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func `without the file it has the standard services alone`() async throws {
    let conversation = try await Conversation([])
    await #expect(throws: HeadphoneError.self) { try await conversation.driver.start() }
    _ = await conversation.reported()
  }

  @Test func `the file's values are read, and its commands are read back`() async throws {
    let conversation = try await Conversation([try Self.example(allow: true)])
    let description = try await conversation.driver.start()
    #expect(description.driver == "Example Buds")
    #expect(description.reason == "service A0E0, by example.toml")
    #expect(description.information.manufacturer == "Example")
    #expect(description.information.model == "EX-1" && description.missing == [])
    let able = description.capabilities
    #expect(able.batteries == Part.allCases && able.declares("game-mode"))
    #expect(able.ancModes == [.off, .noiseCancelling, .transparency])
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set("game-mode", .toggle(true)))
    await #expect(throws: HeadphoneError.self) {
      try await conversation.driver.perform(.setANC(.adaptive))
    }
    let events = await conversation.reported()
    #expect(events.contains(.ancChanged(.noiseCancelling)))
    #expect(events.contains(.ancChanged(.transparency)))
    #expect(events.contains(.settingChanged("game-mode", .toggle(true))))
    #expect(
      events.contains(
        .batteryChanged([
          .left: Battery(level: 75, isCharging: true),
          .right: Battery(level: 72, isCharging: false),
          .case: Battery(level: 41, isCharging: false),
        ])))
  }

  @Test func `a file that only reads changes nothing, and says so`() async throws {
    let conversation = try await Conversation([try Self.example(allow: false)])
    let description = try await conversation.driver.start()
    #expect(
      description.missing == [
        "changes: this driver only reads; allow = \"write\" in example.toml lets it change settings"
      ])
    for command in [HeadphoneCommand.setANC(.off), .set("game-mode", .toggle(true))] {
      await #expect(throws: HeadphoneError.readOnly(file: "example.toml")) {
        try await conversation.driver.perform(command)
      }
    }
    let events = await conversation.reported()
    #expect(!events.contains(.ancChanged(.off)) && events.contains(.ancChanged(.noiseCancelling)))
  }

  @Test func `of two files that fit the first is used, and both are named`() async throws {
    let both = [try Self.example("a", allow: false), try Self.example("b", allow: true)]
    let conversation = try await Conversation(both)
    #expect(try await conversation.driver.start().reason == "service A0E0, by a.toml")
    let words = "a.toml is used; b would fit, too: --driver b chooses it"
    #expect(await conversation.reported().contains(.noted(words)))
    let chosen = try await Conversation(both, forced: both[1])
    #expect(
      try await chosen.driver.start().reason == "service A0E0, as --driver says, by b.toml")
    let events = await chosen.reported()
    #expect(!events.contains { if case .noted = $0 { true } else { false } })
  }

  @Test func `a file for another service is refused in words`() async throws {
    let page = try GeneratedPage("driver-files.md").text().replacing("A0E0", with: "A0E9")
    let text = try #require(
      page.components(separatedBy: "```toml\n").last?.components(separatedBy: "```").first)
    let table = try #require(DriverTable.read(text.utf8, id: "c", file: "c.toml").table)
    let conversation = try await Conversation([], forced: HeadphoneFamily(table))
    await #expect(throws: HeadphoneError.notAHeadphone(missing: "Example Buds service")) {
      try await conversation.driver.start()
    }
    _ = await conversation.reported()
  }

  // MARK: Serial channels

  /// Returns 1MORE's table as a file, on another service.
  private static func serial(_ id: String, _ channel: String) throws -> HeadphoneFamily {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "HeadphoneProtocolsTests/Drivers/sonoflow.toml")
    let text = try String(contentsOf: file, encoding: .utf8)
      .replacing("serial = \"1101\"", with: channel)
    return HeadphoneFamily(
      try #require(DriverTable.read(text.utf8, id: id, file: "\(id).toml").table))
  }

  @Test func `a shared service needs the person's word, or the vendor of the headphone`()
    async throws
  {
    let model = VirtualModel.serial(34, "1MORE SonoFlow", VirtualOneMore(level: 80))
    let file = try Self.serial("sonoflow", "serial = \"1101\"")
    let headphone = VirtualHeadphone(model, loop: .shared, clock: ManualClock())
    let radio = VirtualRadio(headphones: [headphone], clock: ManualClock())
    let address = try #require(model.audioAddress)
    var models = ModelCatalog()
    models.drivers = [file]
    // In the folder alone, it is not used: AirPods' channel is tried instead.
    await #expect(throws: RadioError.self) {
      try await HeadphoneFamily.connectAudioSide(
        of: address, drivers: [file], on: radio, timeout: .seconds(1), clock: ManualClock())
    }
    let bearer = try await HeadphoneFamily.connectAudioSide(
      of: address, forced: file, drivers: [file], on: radio, timeout: .seconds(1),
      clock: ManualClock())
    let (emitter, events) = EventEmitter.makeEvents()
    let driver = try #require(
      HeadphoneFamily.driver(
        on: bearer, forced: file, models: models, clock: ManualClock(), emitter: emitter))
    let description = try await driver.start()
    #expect(description.driver == "1MORE" && description.information.firmware == "1.2.3")
    #expect(description.reason == "serial service 1101, by sonoflow.toml")
    try await driver.perform(.set(.equaliserPreset, .choice("pop")))
    bearer.close(.user)
    let reported = await events.reduce(into: []) { $0.append($1) }
    #expect(reported.contains(.settingChanged(.equaliserPreset, .choice("pop"))))
    #expect(file.serialServices.first?.isShared == true)
    #expect(try Self.serial("a", "serial = \"1101\"\nvendor = 7").serialServices[0].vendor == 7)
    #expect(try Self.serial("a", "serial = \"A0E0\"").serialServices[0].isShared == false)
  }
}
