import Testing

@testable import HeadphoneProtocols

@Suite struct SoundcoreSettingTests {
  @Test(arguments: SoundcoreLayout.models.keys.sorted())
  func `each setting of a model reads what its command writes, at a place of its own`(
    _ number: UInt16
  ) throws {
    let layout = try #require(SoundcoreLayout.models[number])
    var places: Set<Int> = []
    for setting in layout.settings {
      let values: [SettingValue] =
        if case .choice(let choices) = setting.declaration.kind {
          choices.map { .choice($0.id) }
        } else {
          [.toggle(true), .toggle(false)]
        }
      var state = [UInt8](repeating: 0, count: 200)
      for value in values {
        let body = try #require(setting.body(for: value, in: state))
        let range = setting.place..<setting.place + body.count
        state.replaceSubrange(range, with: body)
        var reported = ReportedValues()
        setting.apply(state, to: &reported)
        #expect(reported[setting.declaration.id] == value)
        #expect(value != values[0] || places.isDisjoint(with: range))
        places.formUnion(range)
      }
    }
    #expect(Set(layout.settings.map(\.declaration.id)).count == layout.settings.count)
    if let modes = layout.soundModes {
      #expect(places.isDisjoint(with: modes..<modes + layout.modesWidth))
    }
  }
}
