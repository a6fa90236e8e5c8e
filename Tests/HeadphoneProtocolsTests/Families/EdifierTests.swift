import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

@Suite struct EdifierTests {
  private func opened(by answer: String...) -> EdifierProtocol {
    var proto = EdifierProtocol(on: EdifierProtocol.service)
    _ = proto.questions()
    for answer in answer { _ = proto.receive(recorded(answer)) }
    return proto
  }

  @Test func `the opening question is repeated in the old framing, until one is answered`() throws {
    var proto = opened()
    let values = try #require(proto.questions().first).values
    #expect(values == [recorded("aa ec d0 00 00 66"), recorded("aa ec f2 00 00 88")])
    #expect(values.map { proto.framed($0) } == values)
    let old = recorded("aa 01 d0 21 94")
    #expect(values.map { proto.framed($0) } == [old, old])
    // The same question again, and what else the headphone has.
    _ = proto.receive(recorded("bb 02 d0 4d 21 f3"))
    #expect(proto.isRecognised && proto.questions().flatMap(\.values) == [old])
    #expect(proto.framed(values[0]) == values[0])
  }

  @Test func `a payload that is not masked shows by the first level`() throws {
    var plain = opened(by: "bb ec f2 00 03 03 50 57 46", "bb ec cc 00 02 1b 05 95")
    #expect(plain.capabilities.batteries == [.left, .right])
    let frame = try #require(try plain.exchanges(for: .setANC(.off)).first?.values.first)
    #expect(Array(frame) == [0xAA, 0xEC, 0xC1, 0x00, 0x02, 0x1B, 0x06, 0x7A])
  }

  @Test func `no command resets a headphone, switches it off, disconnects or pairs it`() throws {
    var proto = opened(
      by: "bb 02 d0 4d 21 f3", "bb 03 cc 03 06 21 ac", "bb 02 08 00 20 de", "bb 02 05 07 20 e2",
      "bb 02 48 01 21 1f", "bb 02 d5 00 21 ab", "bb 02 d3 00 21 a9", "bb 03 f0 0a 06 21 d7")
    let able = proto.capabilities
    #expect(able.hasRename && able.hasANCLevel && able.settings.count == 6)
    var commands: [HeadphoneCommand] = [.rename("07"), .setANCLevel(0), .setANCLevel(6)]
    commands += able.ancModes.map { .setANC($0) }
    for setting in able.settings {
      switch setting.kind {
      case .choice(let choices): commands += choices.map { .set(setting.id, .choice($0.id)) }
      case .level(let range): commands += range.bounds.map { .set(setting.id, .level($0)) }
      default: commands += [true, false].map { .set(setting.id, .toggle($0)) }
      }
    }
    var numbers: Set<UInt8> = []
    for command in commands {
      for value in try proto.exchanges(for: command).flatMap(\.values) {
        numbers.insert(try EdifierFrame(decoding: value).command)
      }
    }
    #expect(numbers.isDisjoint(with: [0x07, 0xCD, 0xCE, 0xCF]) && numbers.count > 12)
    #expect(throws: HeadphoneError.self) { try proto.exchanges(for: .factoryReset) }
  }
}
