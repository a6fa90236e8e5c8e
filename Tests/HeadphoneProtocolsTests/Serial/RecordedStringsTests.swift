import BluetoothCodec
import TestSupport
import Testing

@testable import HeadphoneProtocols

/// Every string of every family's file: read, written again, and understood.
@Suite struct RecordedStringsTests {
  /// What the test has to know of a family.
  struct Family: Sendable, CustomTestStringConvertible {
    var name: String
    /// A language that has heard what some strings presuppose, by name.
    var language: @Sendable (RecordedString) -> any SerialProtocol
    /// Reads a frame and writes it again.
    var rewritten: @Sendable (Bytes) throws -> [UInt8]
    /// The frame round a payload.
    var frame: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    /// Strings that are wrong on purpose.
    var broken: Set<String> = []

    var testDescription: String { name }
  }

  static let families = [
    Family(name: "sony") { _ in
      var language = SonyProtocol()
      _ = language.questions()
      return language
    } rewritten: {
      try SonyFrame(decoding: $0).encoded()
    } frame: {
      SonyFrame(.command, sequence: 0, payload: $0[...]).encoded()
    },
    Family(name: "galaxy-buds") {
      GalaxyBudsProtocol(
        on: $0.bytes.first == 0xFE
          ? GalaxyBudsProtocol.firstService : GalaxyBudsProtocol.laterService)
    } rewritten: {
      try GalaxyBudsFrame(decoding: $0).encoded()
    },
    Family(
      name: "bose", language: { _ in BoseProtocol(on: SerialService.serialPort) },
      rewritten: { try BoseFrame(decoding: $0).encoded() },
      // Another service's greeting.
      broken: ["BO42"]),
    Family(
      name: "huawei", language: { _ in HuaweiProtocol(on: SerialService.serialPort) },
      rewritten: { try HuaweiFrame(decoding: $0).encoded() }),
    Family(
      name: "nothing", language: { _ in NothingProtocol(on: NothingProtocol.serialService) },
      rewritten: { try NothingFrame(decoding: $0).encoded() },
      frame: {
        NothingFrame(NothingCommand.batteryNews, operation: 1, payload: $0[...]).encoded()
      },
      // A wrong checksum.
      broken: ["N25"]),
    Family(
      name: "oppo", language: { _ in OppoProtocol(on: OppoProtocol.service) },
      rewritten: { try OppoFrame(decoding: $0).encoded() }),
    Family(name: "soundcore") { _ in
      SoundcoreSerialProtocol(
        on: SoundcoreSerialProtocol.service)
    } rewritten: {
      try SoundcoreFrame(decoding: $0).encoded()
    } frame: {
      SoundcoreFrame(.headphone, SoundcoreCommand.soundModes, $0[...]).encoded()
    },
  ]

  /// What a string presupposes, beside strings of the same file.
  private static let answers: [String: [UInt8]] = [
    "functions": [0x07, 0x00, 0x04, 0x69, 0, 0xF1, 0, 0xE2, 0, 0xFC, 0]
  ]

  @Test(arguments: families)
  func `every string is read and written as it was`(_ family: Family) throws {
    for string in try RecordedString.all(of: family.name) where !family.broken.contains(string.id) {
      let frame = string.isPayload ? family.frame(string.bytes) : string.bytes
      #expect(try family.rewritten(([0xEE] + frame).dropFirst()) == frame, "\(string.id)")
    }
  }

  @Test(arguments: families)
  func `every string reports what it is known to mean`(_ family: Family) throws {
    let strings = try RecordedString.all(of: family.name)
    for string in strings where string.isFromHeadphone {
      var language = family.language(string)
      for name in string.after {
        let before = strings.first { $0.id == name }
        let bytes = try #require(before?.bytes ?? Self.answers[name], "\(name)")
        let isFrame = before.map { !$0.isPayload } ?? false
        for message in language.messages(in: (isFrame ? bytes : family.frame(bytes))[...]) {
          _ = language.receive(message)
        }
      }
      let frame = string.isPayload ? family.frame(string.bytes) : string.bytes
      let events = language.messages(in: frame[...]).flatMap { language.receive($0).events }
      if let reads = string.reads { #expect(events.map(\.words) == reads, "\(string.id)") }
    }
  }

  @Test(arguments: families)
  func `mutated strings give no impossible value, and never trap`(_ family: Family) throws {
    var generator = SeededGenerator(seed: 0x5EED)
    let strings = try RecordedString.all(of: family.name).filter(\.isFromHeadphone)
    let frames = strings.map { $0.isPayload ? family.frame($0.bytes) : $0.bytes }
    let sample = try #require(strings.first)
    var language = family.language(sample)
    for round in 0..<100_000 {
      if round % 500 == 0 {
        language = family.language(sample)
        for frame in frames {
          for message in language.messages(in: frame[...]) { _ = language.receive(message) }
        }
      }
      let index = generator.below(frames.count)
      let bytes: [UInt8]
      if strings[index].isPayload, round % 2 == 0 {
        // With a check that is right, so that the values behind it are tried.
        bytes = family.frame(strings[index].bytes.mutated(by: &generator))
      } else {
        bytes = frames[index].mutated(by: &generator)
      }
      for message in language.messages(in: bytes[...]) {
        for event in language.receive(message).events { Self.check(event, language.capabilities) }
      }
    }
  }

  private static func check(_ event: HeadphoneEvent, _ able: Capabilities) {
    switch event {
    case .batteryChanged(let parts):
      for (part, battery) in parts where battery.level.map({ $0 > 100 }) == true {
        Issue.record("\(part) \(battery)")
      }
    case .ancChanged(let mode) where !able.ancModes.contains(mode): Issue.record("\(event)")
    case .ancLevelChanged(let level) where level > able.ancLevels.upperBound:
      Issue.record("\(event)")
    case .settingChanged(let id, let value)
    where able.declaration(of: id)?.accepts(value) != true:
      Issue.record("\(event)")
    default: break
    }
  }
}
