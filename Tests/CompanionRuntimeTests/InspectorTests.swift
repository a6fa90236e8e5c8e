import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

@Suite struct InspectorTests {
  private let folder = TemporaryFolder()

  private func inspect<Result: Sendable>(
    _ model: VirtualModel = .aurora,
    _ work: @Sendable (Inspector) async throws(CommandError) -> Result
  ) async throws -> Result {
    let headphone = VirtualHeadphone(model, loop: .shared, clock: ManualClock())
    let profile = DeviceProfile.earshot
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let dependencies = Dependencies(
      radio: VirtualRadio(headphones: [headphone], clock: ManualClock()),
      services: profile.advertisedServices,
      prepareDriver: HeadphoneConnection.drivers(
        of: [profile], keepingIn: known, clock: ManualClock()),
      makeAudio: { SilentAudio() },
      clock: ManualClock(), known: known)
    return try await Inspector.run(in: dependencies, model.address, within: .seconds(20), work)
  }

  @Test func `everything is listed in words, as hexadecimal and as text`() async throws {
    let report = try await inspect { inspector throws(CommandError) in
      try await inspector.survey()
    }
    for part in [
      "Battery (180F)", "Battery Level (2A19)  [read, notify]",
      "Characteristic Presentation Format (2904)", "Headphone Control (FFF0)",
      "31 2E 34 2E 32  \"1.4.2\"",
    ] {
      #expect(report.text.contains(part), "\(part)")
    }
    #expect("\(report.json)".contains(#""value":"312E342E32","text":"1.4.2","error":null"#))
  }

  @Test func `a value is read and written by its type`() async throws {
    let text = try await inspect { inspector throws(CommandError) in
      try await inspector.write([3], to: .bit16(0xFFF1), withoutResponse: false)
      return try await inspector.read(.bit16(0xFFF1)).text
    }
    #expect(text == "03")
  }

  @Test func `what is not there is said`() async throws {
    await #expect(throws: CommandError.unavailable("no characteristic has the type FFF9")) {
      _ = try await inspect { inspector throws(CommandError) in
        try await inspector.read(.bit16(0xFFF9))
      }
    }
    await #expect(throws: CommandError.unavailable("3 characteristics have the type 2A19")) {
      try await inspect { inspector throws(CommandError) in
        try await inspector.write([0], to: .bit16(0x2A19), withoutResponse: false)
      }
    }
  }

  @Test func `a refusal is the headphone's, with its own exit code`() async throws {
    do {
      try await inspect { inspector throws(CommandError) in
        try await inspector.write([0], to: .bit16(0x2A26), withoutResponse: false)
      }
      Issue.record("it was written")
    } catch let error as CommandError {
      #expect(error.status == .refused)
      #expect(error.message.contains("Write Not Permitted"))
    }
  }
  @Test func `what is known of the attributes is not asked again, a part of them is not enough`()
    async throws
  {
    let headphone = VirtualHeadphone(.aurora, loop: .shared, clock: ManualClock())
    let bearer = try await VirtualRadio(headphones: [headphone], clock: ManualClock())
      .connect(to: headphone.model.address, timeout: .seconds(20))
    defer { bearer.close(.user) }
    let client = GATTClient(bearer: bearer, clock: ManualClock())
    try await client.discoverServices()
    let database = try await client.completeDatabase()
    #expect(!database.services.contains { $0.characteristics.isEmpty })
    let whole = try await client.completeDatabase(withDescriptors: true)
    #expect(!whole.services.flatMap(\.characteristics).contains { $0.descriptors == nil })
    let requests = await client.requestCount
    #expect(try await client.completeDatabase(withDescriptors: true) == whole)
    #expect(await client.requestCount == requests)
  }
}
