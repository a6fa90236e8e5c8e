import BluetoothCodec
import Configuration
import Foundation
import TestSupport
import Testing

@testable import HeadphoneProtocols

/// A maker's table as a driver file, compared with the program's own table.
@Suite struct DriverFileTests {
  private static let folder = StringTable.folder("Drivers")

  private static func table(_ name: String = "sonoflow", with strings: Data = Data()) throws
    -> DriverTable
  {
    let text = try Data(contentsOf: folder.appendingPathComponent("\(name).toml")) + strings
    let (table, mistakes) = DriverTable.read(text, id: name, file: "\(name).toml")
    #expect(mistakes == [])
    return try #require(table)
  }

  /// Both protocols, which get the same bytes and commands.
  private struct Pair {
    var builtIn: any HeadphoneProtocol = OneMoreProtocol(on: OneMoreProtocol.service)
    var file: any HeadphoneProtocol
    private(set) var compared = 0

    init() throws {
      let family = HeadphoneFamily(try DriverFileTests.table())
      file = try #require(family.opened(on: OneMoreProtocol.service))
      let (asked, same) = (builtIn.questions(), file.questions())
      #expect(asked == same && !asked.isEmpty)
    }

    /// Feeds bytes to both; `inWords` requires the same errors, too.
    mutating func hear(_ bytes: [UInt8], _ what: String, inWords: Bool = true) {
      let (messages, same) = (builtIn.messages(in: bytes[...]), file.messages(in: bytes[...]))
      #expect(messages == same, "\(what)")
      for message in messages {
        let (read, again) = (builtIn.receive(message), file.receive(message))
        #expect(read.responses == again.responses, "\(what)")
        #expect(read.events.map(\.words) == again.events.map(\.words), "\(what)")
        if inWords { #expect(read == again, "\(what)") }
        compared += 1
      }
      #expect(builtIn.capabilities == file.capabilities, "\(what)")
      #expect(builtIn.information == file.information, "\(what)")
    }

    mutating func askFurther() {
      let (asked, same) = (builtIn.furtherQuestions(), file.furtherQuestions())
      #expect(asked == same && !asked.isEmpty)
      compared += asked.count
    }

    mutating func command(_ command: HeadphoneCommand) {
      let written = Self.outcome(of: command, &builtIn)
      let same = Self.outcome(of: command, &file)
      #expect(written == same, "\(command)")
      compared += 1
    }

    private struct Outcome: Equatable {
      var exchanges: [Exchange] = []
      var error: HeadphoneError?
    }

    private static func outcome(
      of command: HeadphoneCommand, _ proto: inout any HeadphoneProtocol
    ) -> Outcome {
      do throws(HeadphoneError) {
        return Outcome(exchanges: try proto.exchanges(for: command))
      } catch {
        return Outcome(error: error)
      }
    }
  }

  @Test func `the file reads, asks and writes every byte of the maker's table as the program does`()
    throws
  {
    let family = try #require(HeadphoneFamily(rawValue: "1more"))
    let strings = try RecordedString.all(of: family)
    for string in strings where string.isFromHeadphone {
      var pair = try Pair()
      pair.hear(string.frame, string.id)
    }
    var pair = try Pair()
    let first = try #require(strings.first { $0.id == "OM2" })
    pair.hear(first.frame, first.id)
    pair.askFurther()
    for string in strings where string.isFromHeadphone { pair.hear(string.frame, string.id) }
    for declaration in pair.builtIn.capabilities.declarations {
      for value in declaration.valuesToTry {
        if declaration.id == .noiseMode, let mode = ANCMode(setting: value) {
          pair.command(.setANC(mode))
        } else {
          pair.command(.set(declaration.id, value))
        }
      }
    }
    pair.command(.setANC(.adaptive))
    pair.command(.set("wear-detection", .toggle(true)))
    pair.command(.set("ldac", .choice("on")))
    pair.command(.setVolume(HeadphoneVolume(level: 3, isMuted: false)))
    #expect(pair.compared > 40)
  }

  @Test func `what is wrong gives the same values, and is malformed to both`() throws {
    let family = try #require(HeadphoneFamily(rawValue: "1more"))
    let strings = try RecordedString.all(of: family).filter(\.isFromHeadphone)
    var generator = SeededGenerator(seed: 0x0D21)
    var pair = try Pair()
    for _ in 0..<Thoroughness.rounds(3_000, thorough: 50_000) {
      let bytes = strings[generator.below(strings.count)].frame.mutated(by: &generator)
      pair.hear(bytes, hexadecimal(bytes[...]), inWords: false)
    }
    #expect(pair.compared > 1_000)
  }

  @Test func `the maker's recorded strings are the file's own`() throws {
    let strings = try Data(
      contentsOf: StringTable.folder("Bytes").appendingPathComponent("1more.toml"))
    _ = try Self.table(with: Data("\n".utf8) + strings)
    let wrong = String(decoding: strings, as: UTF8.self)
      .replacing("[\"battery left 80\"]", with: "[\"battery left 81\"]")
      .replacing("\"multipoint on\"", with: "\"multipoint off\"")
    let text =
      try Data(contentsOf: Self.folder.appendingPathComponent("sonoflow.toml")) + Data(wrong.utf8)
    let mistakes = DriverTable.read(text, id: "sonoflow", file: "sonoflow.toml").mistakes
    #expect(
      mistakes.map(\.what) == [
        "OM2: the driver reads battery left 80 in it",
        "OM12: the driver reads multipoint on in it",
        "OM13: the driver sends 11 01 00 76 00 01 00 02 65 00, 11 01 00 77 00 00 00 03 64 for it",
      ])
  }

  @Test func `a file that only reads refuses every command, and says what to do`() throws {
    let text = String(
      decoding: try Data(contentsOf: Self.folder.appendingPathComponent("sonoflow.toml")),
      as: UTF8.self
    ).replacing("allow = \"write\"\n", with: "")
    let table = try #require(DriverTable.read(text.utf8, id: "a", file: "a.toml").table)
    var proto = try #require(HeadphoneFamily(table).opened(on: OneMoreProtocol.service))
    _ = proto.questions()
    let battery: [UInt8] = [
      0x01, 0x01, 0x00, 0x4E, 0x00, 0x0A, 0x00, 0x1C, 0x58, 0x00, 0x01, 0x02, 0x03, 0x50, 0, 0, 0,
      0x50, 0,
    ]
    #expect(proto.events(of: battery).map(\.words) == ["battery left 80"])
    for command in [HeadphoneCommand.setANC(.off), .set(.multipoint, .toggle(true)), .restart] {
      #expect(throws: HeadphoneError.readOnly(file: "a.toml")) {
        try proto.exchanges(for: command)
      }
    }
    #expect(
      proto.missing == [
        "changes: this driver only reads; allow = \"write\" in a.toml lets it change settings"
      ])
  }

  @Test func `bytes that harm any maker's headphone are never written`() throws {
    let table = try Self.table()
    let proto = try #require(HeadphoneFamily(table).opened(on: OneMoreProtocol.service))
    // The reset of an Edifier W820NB, as it was logged; and firmware of docs/protocol.md.
    let reset: [UInt8] = [0xAA, 0x01, 0x07, 0x20, 0xCB]
    #expect(proto.refusal(of: reset[...]) != nil)
    let firmware = HeadphonePacket(command: .firmwareActivate, sequence: 1).encoded()
    #expect(proto.refusal(of: firmware[...]) != nil)
    let ping = HeadphonePacket(command: .ping, sequence: 1).encoded()
    #expect(proto.refusal(of: ping[...]) == nil)
  }
}

extension SettingDeclaration {
  /// All values of a switch or choice, and one that the setting does not have.
  fileprivate var valuesToTry: [SettingValue] {
    switch kind {
    case .toggle: [.toggle(false), .toggle(true), .choice("off")]
    case .choice(let choices): choices.map { .choice($0.id) } + [.choice("none")]
    default: []
    }
  }
}
