import BluetoothAttributes
import BluetoothCodec
import TestSupport
import Testing

@testable import HeadphoneProtocols

/// Harmful commands, which no family sends.
@Suite struct NeverSentTests {
  private static let families = HeadphoneFamily.allCases.filter { $0.conversationProtocol != nil }
  private static let harmful = families.filter { $0.frame?.never.isEmpty == false }

  @Test func `what harms is known of the makers of which it was published`() {
    #expect(
      Set(Self.harmful.map(\.rawValue)).isSuperset(of: [
        "sony", "bose", "galaxy-buds", "sennheiser", "soundcore", "edifier", "vivo",
      ]))
  }

  @Test(arguments: harmful)
  func `a frame with each of these commands is found`(_ family: HeadphoneFamily) throws {
    let frame = try #require(family.frame)
    for never in frame.never {
      #expect(never.pattern.contains { $0 != nil })
      #expect(never.source.contains("/"), "\(never.source)")
      let format = try #require(
        frame.formats.first { format in
          zip(never.pattern, format.marker).allSatisfy { $0 == nil || $0 == $1 }
        }, "\(never)")
      // With room for a length, and for bytes that may follow.
      let content = never.pattern.dropFirst(format.marker.count).map { $0 ?? 0 }
      for further in [0, 1, 5] {
        let padding = [UInt8](repeating: 0, count: further + max(0, 8 - content.count))
        let bytes = format.frame(around: content + padding)
        #expect(frame.neverSent(in: bytes[...]) != nil, "\(hexadecimal(bytes[...]))")
        #expect(frame.neverSent(in: (bytes + bytes)[...]) != nil)
      }
    }
  }

  /// Plays all recordings of a family, each to a new protocol, which then gets the commands for all
  /// values of all its settings.
  @Test(arguments: families)
  func `nothing that a family can build is one of them`(_ family: HeadphoneFamily) throws {
    let language = try #require(family.conversationProtocol)
    let frame = try #require(family.frame)
    let everything = try Conversation.everything(of: family)
    var count = 0
    for conversation in everything {
      var proto = language.opened(conversation.service)
      func check(_ exchanges: [Exchange]) {
        for value in exchanges.flatMap(\.values) {
          let never = frame.neverSent(in: proto.framed(value))
          #expect(never == nil, "\(conversation.id): \(hexadecimal(value))")
          count += 1
        }
      }
      check(proto.questions())
      let received = conversation.items.filter { $0.isFromHeadphone && $0.foreign == nil }
      for bytes in try conversation.earlier(among: everything) + received.map(\.bytes) {
        for message in proto.messages(in: bytes[...]) {
          if let reply = proto.receive(message).reply {
            #expect(frame.neverSent(in: reply[...]) == nil, "\(conversation.id)")
          }
        }
      }
      for _ in 0..<8 { check(proto.furtherQuestions()) }
      for command in HeadphoneCommand.all(of: proto.capabilities) {
        check((try? proto.exchanges(for: command)) ?? [])
      }
    }
    #expect(count > 0)
  }

  @Test func `the page of headphones lists them all`() throws {
    let page = GeneratedPage("headphones.md")
    var wanted = try page.text()
    var rows = ["| family | bytes | what it does | source |", "| --- | --- | --- | --- |"]
    for family in Self.harmful {
      for never in family.frame?.never ?? [] {
        let bytes = never.pattern.map { $0.map { hexadecimal([$0]) } ?? ".." }
          .joined(separator: " ")
        rows.append("| \(family.rawValue) | `\(bytes)` | \(never.harm) | \(never.source) |")
      }
    }
    let isReplaced = wanted.replaceTable(
      after: "### What is never sent", with: rows.joined(separator: "\n"))
    #expect(isReplaced)
    #expect(try page.text(rewrittenTo: wanted) == wanted)
  }

  @Test func `what a person writes is read as frames of every maker`() {
    // The reset of an Edifier W820NB, as it was logged; the question for its battery.
    let reset: Bytes = [0xAA, 0x01, 0x07, 0x20, 0xCB]
    let words = HeadphoneFamily.refusal(of: reset, to: 3, in: Database())
    #expect(
      words == "this is never sent to Edifier: it resets the headphone (wh201906/mEDIFIER)")
    let battery: Bytes = [0xAA, 0x01, 0xD0, 0x21, 0x94]
    #expect(HeadphoneFamily.refusal(of: battery, to: 3, in: Database()) == nil)
    #expect(HeadphoneFamily.refusal(of: [0x02], to: 3, in: Database()) == nil)
  }

  @Test func `the refusal says why`() {
    let bytes: Bytes = [0xFF, 0x03, 0x00, 0x00, 0x04, 0x95, 0x06, 0x07]
    #expect(
      SennheiserProtocol.refusal(of: bytes)
        == .badArgument(
          "this is never sent to Sennheiser: it takes the headphone off the air until it is switched "
            + "off and on (DanSmith888/omarchy-momentum4)"))
    #expect(
      SennheiserProtocol.refusal(of: [0xFF, 0x03, 0x00, 0x00, 0x04, 0x95, 0x06, 0x03]) == nil)
  }
}

extension HeadphoneFamily {
  /// The frame of the family's protocol, or nil if there is none.
  var frame: (any SerialFrame.Type)? {
    if self == .airpods { return AACPPacket.self }
    return serialProtocol?.frame ?? gattProtocol?.frame
  }
}

extension HeadphoneProtocol {
  fileprivate static var frame: any SerialFrame.Type { Frame.self }
}

extension HeadphoneCommand {
  /// Returns the commands for these capabilities: each value of each setting, and those without
  /// one.
  fileprivate static func all(of able: Capabilities) -> [HeadphoneCommand] {
    let settings = able.declarations.flatMap { declaration in
      declaration.allValues.map { HeadphoneCommand(declaration.id, $0, able) }
    }
    let address = BluetoothAddress("00:11:22:33:44:55")
    let devices = PairedDeviceAction.allCases.flatMap { action in
      address.map { [HeadphoneCommand.pairedDevice(action, $0)] } ?? []
    }
    let sides: [Sides] = [.left, .right, .both]
    let finding = sides.flatMap { [HeadphoneCommand.find($0, isOn: true), .find($0, isOn: false)] }
    return settings + devices + finding + [.rename("Buds"), .restart, .factoryReset]
  }
}

extension SettingDeclaration {
  /// All values of a switch, choice or level, and the limits of bands.
  fileprivate var allValues: [SettingValue] {
    switch kind {
    case .toggle: [.toggle(true), .toggle(false)]
    case .choice(let choices): choices.map { .choice($0.id) }
    case .level(let range): range.bounds.map { .level($0) }
    case .bands(let bands, let range):
      [range.bounds.lowerBound, 0, range.bounds.upperBound].map { gain in
        .bands(bands.map { _ in gain })
      }
    case .text, .action, .reading, .pairedDevices: []
    }
  }
}
