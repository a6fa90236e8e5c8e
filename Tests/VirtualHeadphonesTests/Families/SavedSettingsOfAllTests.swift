import Companion
import Configuration
import HeadphoneProtocols
import Testing

@testable import VirtualHeadphones

/// Everything that virtual headphones report, in a file and back.
@Suite struct SavedSettingsOfAllTests {
  @Test(arguments: VirtualModel.environment + VirtualModel.controlled)
  func `restoring what was saved sends nothing`(model: VirtualModel) async throws {
    let state = try await State(screenOf: model)
    let headphone = try #require(state.headphones.selected)
    let saved = SavedSettings(of: headphone, at: Timestamp(milliseconds: 0))
    let (read, mistakes) = SavedSettings.read(
      saved.toml(without: headphone.unreportedSettings).utf8)
    #expect(mistakes.isEmpty && read.wishes == saved.wishes)
    #expect(read.model == saved.model && read.headphone == saved.headphone)
    #expect(read.lines.count == saved.wishes.count)
    #expect(headphone.hasModel(of: read) && headphone.mistakes(in: read).isEmpty)
    var restoration = SettingsRestoration(read, on: headphone)
    #expect(restoration.next(on: headphone) == nil)
    #expect(restoration.results(on: headphone).allSatisfy { $0.outcome == .same })
  }

  /// Each value in turn differs from that of the file.
  @Test(arguments: VirtualModel.environment + VirtualModel.controlled)
  func `what differs is sent`(model: VirtualModel) async throws {
    let state = try await State(screenOf: model)
    let headphone = try #require(state.headphones.selected)
    for declaration in headphone.capabilities?.declarations ?? [] {
      guard let value = headphone.setting(declaration.id).confirmed,
        let other = declaration.step(value, by: 1) ?? declaration.step(value, by: -1),
        other != value, declaration.accepts(other), other != .done
      else { continue }
      let wish = Scene.Wish(declaration.id, other.text)
      var restoration = SettingsRestoration(SavedSettings(wishes: [wish]), on: headphone)
      let next = restoration.next(on: headphone)
      let command = try #require(next, "\(declaration.id)")
      let isMode = command.settings.contains { $0.id == .noiseMode }
      #expect(
        command.settings.contains { $0.id == declaration.id && $0.value == other }
          || headphone.restriction(of: declaration) != nil && isMode, "\(declaration.id)")
    }
  }
}
