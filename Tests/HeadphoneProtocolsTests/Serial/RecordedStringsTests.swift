import BluetoothCodec
import Foundation
import TestSupport
import Testing

@testable import HeadphoneProtocols

/// Every string of every family's file is decoded, encoded and understood.
@Suite struct RecordedStringsTests {
  static let families = HeadphoneFamily.allCases.filter { $0.recordedProtocol != nil }

  @Test func `each family has a file of strings, and each file a family`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: RecordedString.folder.path)
    #expect(files.sorted() == Self.families.map { "\($0.rawValue).toml" }.sorted())
  }

  @Test(arguments: families)
  func `every string is read and written as it was`(_ family: HeadphoneFamily) throws {
    let proto = try #require(family.recordedProtocol)
    for string in try RecordedString.all(of: family) where !string.isBroken {
      // Not at the first index, as in a received buffer.
      let frame = ([0xEE] + string.frame).dropFirst()
      #expect(try proto.rewritten(frame) == string.frame, "\(string.id)")
    }
  }

  @Test(arguments: families)
  func `every string reports what it is known to mean`(_ family: HeadphoneFamily) throws {
    let strings = try RecordedString.all(of: family)
    for string in strings where string.isFromHeadphone {
      var proto = try string.proto()
      for name in string.after {
        let before = try #require(strings.first { $0.id == name }, "\(name)")
        _ = proto.events(of: before.frame)
      }
      let events = proto.events(of: string.frame)
      guard let reads = string.reads else { continue }
      #expect(events.map(\.words).filter { $0 != "unknown" } == reads, "\(string.id)")
    }
  }

  @Test(arguments: families)
  func `every question is asked, every command written, and every name read, as the file has it`(
    _ family: HeadphoneFamily
  ) throws {
    let everything = try Conversation.everything(of: family)
    for string in try RecordedString.all(of: family)
    where !string.isFromHeadphone || string.item.informs != nil {
      let conversation = Conversation(string)
      let replay = try ConversationReplay(
        conversation, after: try conversation.earlier(among: everything))
      for (id, what) in replay.contradictions { Issue.record("\(id): \(what)") }
    }
  }

  @Test(arguments: families)
  func `mutated strings give no impossible value, and never trap`(
    _ family: HeadphoneFamily
  ) throws {
    var generator = SeededGenerator(seed: 0x5EED)
    let strings = try RecordedString.all(of: family).filter(\.isFromHeadphone)
    let sample = try #require(strings.first)
    var proto = try sample.proto()
    for round in 0..<Thoroughness.rounds(5_000, thorough: 100_000) {
      if round % 500 == 0 {
        proto = try sample.proto()
        for string in strings { _ = proto.events(of: string.frame) }
      }
      let string = strings[generator.below(strings.count)]
      var bytes = string.frame.mutated(by: &generator)
      // With a checksum that is right, so that the values behind it are tried.
      if round % 2 == 0, let frame = try string.reframed({ $0.mutated(by: &generator) }) {
        bytes = frame
      }
      for event in proto.events(of: bytes) { Self.check(event, proto.capabilities) }
    }
  }

  /// The families without parts that may be absent.
  private static let alwaysWhole: Set<String> = [
    "sennheiser", "edifier", "jbl", "qcy", "1more", "technics",
  ]

  @Test(arguments: families)
  func `an impossible level or mode, and an absent part, never become a value`(
    _ family: HeadphoneFamily
  ) throws {
    let strings = try RecordedString.all(of: family)
    let bad = strings.filter { $0.bad != nil }
    let kinds: Set<String> = Self.alwaysWhole.contains(family.rawValue) ? [] : ["part"]
    #expect(Set(bad.compactMap(\.bad)) == kinds.union(["level", "mode"]))
    for string in bad {
      var proto = try string.proto()
      for name in string.after {
        let before = try #require(strings.first { $0.id == name }, "\(name)")
        _ = proto.events(of: before.frame)
      }
      let before = proto.capabilities
      let events = proto.events(of: string.frame)
      // The words are compared with `reads` by another test.
      let words = events.map(\.words)
      switch string.bad {
      // That is no mistake: the others are reported, and it keeps what was known of it.
      case "part": #expect(string.reads != nil)
      case "level": #expect(string.reads?.contains("malformed") == true, "\(string.id)")
      // A mode without a name is shown by its number; an impossible one changes nothing.
      default:
        #expect(
          !words.contains { word in ANCMode.allCases.contains { word == "noise-mode \($0.name)" } })
        if words == ["malformed"] { #expect(proto.capabilities == before, "\(string.id)") }
      }
    }
  }

  @Test(arguments: families)
  func `a wrong checksum or length is reported, and answers nothing`(
    _ family: HeadphoneFamily
  ) throws {
    for string in try RecordedString.all(of: family)
    where string.isFromHeadphone && !string.isBroken {
      var proto = try string.proto()
      guard let format = (proto as? any FramedProtocol)?.reader.formats.first else { continue }
      var wrong = string.frame
      wrong[wrong.count - format.end.count - 1] ^= 0x01
      let long = format.frame(around: Array(repeating: 0, count: 4000))
      for frame in format.check.width > 0 ? [wrong, long] : [long] {
        let before = proto.capabilities
        let messages = proto.messages(in: frame[...]).map { proto.receive($0) }
        #expect(messages.allSatisfy { $0.responses.isEmpty && $0.reply == nil }, "\(string.id)")
        #expect(messages.contains { !$0.events.isEmpty }, "\(string.id)")
        for event in messages.flatMap(\.events) { #expect(event.words == "malformed") }
        #expect(proto.capabilities == before, "\(string.id)")
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
    // A choice without a name is its number.
    case .settingChanged(_, .choice(let number)) where UInt8(number) != nil: break
    case .settingChanged(.equaliserPreset, .choice(let name))
    where EQPreset.shownAlone.values.contains(name): break
    case .settingChanged(let id, let value)
    where able.declaration(of: id)?.accepts(value) != true:
      Issue.record("\(event)")
    default: break
    }
  }
}

extension HeadphoneProtocol {
  /// Returns the events that a piece of the stream reports.
  mutating func events(of piece: [UInt8]) -> [HeadphoneEvent] {
    var events: [HeadphoneEvent] = []
    for message in messages(in: piece[...]) { events += receive(message).events }
    return events
  }
}
