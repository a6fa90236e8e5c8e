import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct SavedSettingsTests {
  private typealias Values = [(SettingID, SettingValue)]

  private static let level: SettingID = "ambient-level"
  private static let now: Values = [
    (.noiseMode, .choice("noise-cancelling")), (level, .level(3)),
    (.equaliserPreset, .choice("vocal")), (.equaliserBands, .bands([0, 0, 0, 0, 10])),
    (.wearDetection, .toggle(true)),
  ]

  /// Returns a headphone whose level can be set in transparency only.
  private func headphone(_ values: Values = now) throws -> HeadphoneState {
    var able = allFeatures
    able.ancLevelModes = [.transparency]
    able.hasTouchActions = false
    var headphone = try #require(Scenario.withReady(able).state.headphones[ear])
    for (id, value) in values { headphone.settings[id].received(value) }
    return headphone
  }

  /// Runs a restoration on a headphone; `respond` handles each command.
  private func restore(
    _ wishes: [Scene.Wish], on headphone: inout HeadphoneState,
    by respond: (HeadphoneCommand, inout HeadphoneState, inout SettingsRestoration) -> Void
  ) -> (sent: [HeadphoneCommand], outcomes: [SettingsRestoration.Outcome]) {
    var restoration = SettingsRestoration(SavedSettings(wishes: wishes), on: headphone)
    var sent: [HeadphoneCommand] = []
    while let command = restoration.next(on: headphone), sent.count < 100 {
      sent.append(command)
      respond(command, &headphone, &restoration)
    }
    return (sent, restoration.results(on: headphone).map(\.outcome))
  }

  private func obey(
    _ command: HeadphoneCommand, _ headphone: inout HeadphoneState, _: inout SettingsRestoration
  ) {
    for (id, value) in command.settings { headphone.settings[id].received(value) }
    if case .setCustomEQ = command {
      headphone.settings[.equaliserPreset].received(EQPreset.custom.settingValue)
    }
  }

  @Test func `all that the headphone reports is saved, with what it is of`() throws {
    var headphone = try headphone()
    let saved = SavedSettings(of: headphone, at: noon)
    #expect(
      saved.wishes == [
        .init(.noiseMode, "noise-cancelling"), .init(.ambientLevel, "3"),
        .init(.equaliserPreset, "vocal"), .init(.equaliserBands, "0,0,0,0,1"),
        .init(.wearDetection, "on"),
      ])
    #expect(saved.headphone == "Ear (a)" && saved.model == "EAR-1")
    #expect(saved.time == "1970-01-01 14:03:22")
    #expect(headphone.unreportedSettings == [])
    headphone.settings = HeadphoneSettings()
    #expect(headphone.unreportedSettings == saved.wishes.map(\.setting))
  }

  @Test func `what is equal is not sent`() throws {
    var headphone = try headphone()
    let saved = SavedSettings(of: headphone, at: noon)
    let (sent, outcomes) = restore(saved.wishes, on: &headphone, by: obey)
    #expect(sent.isEmpty && outcomes.allSatisfy { $0 == .same })
  }

  @Test func `a level is set in the mode that it needs, and the mode comes last`() throws {
    var headphone = try headphone()
    let (sent, outcomes) = restore(
      [.init(.noiseMode, "off"), .init(.ambientLevel, "7")], on: &headphone, by: obey)
    #expect(sent == [.setANC(.transparency), .setANCLevel(7), .setANC(.off)])
    #expect(outcomes == [.set, .set])
    // Without a mode in the file it is as before.
    let (others, _) = restore([.init(.ambientLevel, "2")], on: &headphone, by: obey)
    #expect(others == [.setANC(.transparency), .setANCLevel(2), .setANC(.off)])
  }

  @Test func `gains that select another preset are followed by the saved one`() throws {
    var headphone = try headphone()
    headphone.settings[.equaliserPreset].received(EQPreset.custom.settingValue)
    let (sent, outcomes) = restore(
      [.init(.equaliserPreset, "vocal"), .init(.equaliserBands, "1,0,0,0,0")], on: &headphone,
      by: obey)
    let gains = try #require([BandGain](setting: .bands([10, 0, 0, 0, 0])))
    #expect(sent == [.setEQ(.vocal), .setCustomEQ(gains), .setEQ(.vocal)])
    #expect(outcomes == [.set, .set])
  }

  /// Like the modes of AirPods' touch and hold, at least two of which must be on.
  @Test func `what is refused because of another setting is sent again after it`() throws {
    var headphone = try headphone()
    var isRefused = false
    let (sent, outcomes) = restore(
      [.init(.wearDetection, "off"), .init(.equaliserPreset, "bass-boost")], on: &headphone
    ) { command, headphone, restoration in
      if case .set = command, headphone.eq.confirmed == .vocal {
        isRefused = true
        return restoration.refuse("not with vocal")
      }
      obey(command, &headphone, &restoration)
    }
    let wear = HeadphoneCommand.set(.wearDetection, .toggle(false))
    #expect(isRefused && sent == [wear, .setEQ(.bassBoost), wear])
    #expect(outcomes == [.set, .set])
  }

  @Test func `a refused setting is sent twice at most, and the others are still sent`() throws {
    var headphone = try headphone()
    let (sent, outcomes) = restore(
      [
        .init(.noiseMode, "off"), .init(.wearDetection, "off"), .init("speak-to-chat", "on"),
        .init(.equaliserPreset, "loudest"),
      ], on: &headphone
    ) { command, headphone, restoration in
      guard case .set = command else { return obey(command, &headphone, &restoration) }
      restoration.refuse("not now")
    }
    let wear = HeadphoneCommand.set(.wearDetection, .toggle(false))
    #expect(sent == [wear, .setANC(.off), wear])
    #expect(outcomes == [.set, .refused("not now"), .lacking, .notAccepted])
  }

  @Test func `a headphone that does not keep a value is not asked for ever`() throws {
    var headphone = try headphone()
    let (sent, outcomes) = restore(
      [.init(.ambientLevel, "7"), .init(.wearDetection, "off")], on: &headphone
    ) { _, _, _ in }
    #expect(sent.count < 10)
    #expect(outcomes == [.notKept("3"), .notKept("on")])
  }

  @Test func `nothing is sent after the end of the link`() throws {
    var headphone = try headphone()
    let (sent, outcomes) = restore(
      [.init(.noiseMode, "off"), .init(.wearDetection, "off")], on: &headphone
    ) { _, _, restoration in restoration.stop() }
    #expect(sent == [.set(.wearDetection, .toggle(false))])
    #expect(outcomes == [.notSent, .notSent])
  }

  @Test func `a file is of this model by the model, else by driver and name`() throws {
    var headphone = try headphone()
    var saved = SavedSettings(of: headphone, at: noon)
    saved.headphone = "Kitchen"
    #expect(headphone.hasModel(of: saved))
    saved.model = "EAR-2"
    #expect(!headphone.hasModel(of: saved))
    headphone.information.model = nil
    #expect(!headphone.hasModel(of: saved))
    saved.headphone = headphone.name
    #expect(headphone.hasModel(of: saved))
    #expect(!headphone.hasModel(of: SavedSettings()))
  }

  @Test func `mistakes have lines, and what this headphone lacks is none`() throws {
    var saved = SavedSettings(wishes: [
      .init(.noiseMode, "loud"), .init("noise-moed", "off"), .init("speak-to-chat", "on"),
      .init(.ambientLevel, "99"), .init(.wearDetection, "off"),
    ])
    for (number, wish) in saved.wishes.enumerated() { saved.lines[wish.setting] = number + 5 }
    let mistakes = try headphone().mistakes(in: saved)
    #expect(mistakes.map(\.line) == [5, 6, 8])
    #expect(mistakes.map(\.what).joined().contains("did you mean \"noise-mode\"?"))
  }
}
