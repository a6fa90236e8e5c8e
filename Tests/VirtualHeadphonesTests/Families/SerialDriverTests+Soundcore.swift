import HeadphoneDrivers
import HeadphoneProtocols
import Testing

@testable import VirtualHeadphones

extension SerialDriverTests {
  @Test func `Soundcore's headphones get as many bytes as they report, and the rest stays`()
    async throws
  {
    let conversation = try await Conversation(.soundcoreSport)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Soundcore" && description.information.model == "Sport X20")
    #expect(description.information.firmware == "01.65")
    #expect(description.capabilities.batteries == Part.allCases)
    let before = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set("cancelling-strength", .level(2)))
    try await conversation.driver.perform(.set("cancelling-kind", .choice("adaptive")))
    try await conversation.driver.perform(.set("wind-reduction", .toggle(true)))
    let after = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    #expect(Array(after[117..<123]) == [1, 0x22, 1, 1, 1, 0xFF])
    #expect(
      after.prefix(117) == before.prefix(117) && after.dropFirst(123) == before.dropFirst(123))
    #expect(await conversation.reported().contains(.ancChanged(.transparency)))
  }

  @Test func `a Soundcore's press changes alone, and what it does on one bud stays`() async throws {
    let conversation = try await Conversation(.soundcoreSport)
    let able = try await conversation.driver.start().capabilities
    let title = { (id: SettingID) in able.declaration(of: id)?.title }
    #expect(title("double-tap-left") == "Double tap left" && title("triple-tap-left") == nil)
    let before = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    try await conversation.driver.perform(.set("double-tap-left", .choice("voice-assistant")))
    try await conversation.driver.perform(.set("tap-right", .choice("none")))
    // What the maker's app does not offer for one press.
    await #expect(throws: HeadphoneError.badArgument("tap right has no noise-control")) {
      try await conversation.driver.perform(.set("tap-right", .choice("noise-control")))
    }
    var expected = before
    (expected[111], expected[112]) = (0x6F, 0x35)
    #expect(await conversation.virtual(VirtualSoundcore.self)?.state == expected)
    let events = await conversation.reported()
    #expect(events.contains(.settingChanged("double-tap-left", .choice("voice-assistant"))))
    #expect(events.contains(.settingChanged("tap-right", .choice("none"))))
  }

  @Test func `the one button of a Soundcore raises the bass or does nothing`() async throws {
    let conversation = try await Conversation(.spaceOne)
    _ = try await conversation.driver.start()
    for (action, byte) in [("none", 0x0F), ("bass-up", 0x07)] as [(String, UInt8)] {
      try await conversation.driver.perform(.set("double-press", .choice(action)))
      #expect(await conversation.virtual(VirtualSoundcore.self)?.state[67] == byte)
    }
    _ = await conversation.reported()
  }

  @Test func `a Life Q30 has its equaliser and scenes over RFCOMM, too`() async throws {
    var model = VirtualModel.soundcoreSport
    model.family = .serial(VirtualSerial(VirtualSoundcore.overEar))
    let conversation = try await Conversation(model)
    let able = try await conversation.driver.start().capabilities
    #expect(able.eqPresets == EQPreset.allCases && able.eqBands == 8)
    let before = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    try await conversation.driver.perform(.setEQ(.bassBoost))
    try await conversation.driver.perform(.set("cancelling-scene", .choice("indoor")))
    try await conversation.driver.perform(.set("transparency-kind", .choice("full")))
    let after = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    #expect(Array(after[2..<12]) == SoundcoreEQ(.bassBoost)?.encoded())
    #expect(Array(after[35..<39]) == [2, 2, 0, 0])
    #expect(after[12..<35] == before[12..<35] && after[39...] == before[39...])
    try await conversation.driver.perform(.setEQ(.custom))
    let custom = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    #expect(custom[2..<12] == before[2..<12])
    _ = await conversation.reported()
  }

  @Test(arguments: [(0x3968, 1, false), (0x3968, 2, false), (0x1202, 2, true), (0x1402, 1, false)])
  func `a Soundcore whose width is not known is read, and not written`(
    _ number: UInt16, further: Int, isTaken: Bool
  ) async throws {
    var sport = VirtualSoundcore.sport
    if number != 0x3968 {
      // Another model's serial number, which no table has.
      sport.state.replaceSubrange(16..<20, with: Array("9999".utf8))
      sport = VirtualSoundcore(number: number, state: sport.state, modes: sport.modes)
    }
    sport.further = further
    var model = VirtualModel.soundcoreSport
    model.family = .serial(VirtualSerial(sport))
    let conversation = try await Conversation(model)
    #expect(try await conversation.driver.start().capabilities.ancModes.count == 3)
    let result: HeadphoneError?
    do throws(HeadphoneError) {
      try await conversation.driver.perform(.setANC(.off))
      result = nil
    } catch {
      result = error
    }
    let unknown = HeadphoneError.unsupported(
      "noise control that Earshot can set: the length of its command is unknown")
    #expect(result == (isTaken ? nil : unknown))
    let state = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    #expect(Array(state[117...]) == [isTaken ? 2 : 0] + sport.state[118...])
    _ = await conversation.reported()
  }
}
