import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// Reports of a headphone's own range, and its reasons for refusing a command.
extension SonyProtocolTests {
  @Test func `the levels of ambient sound are as many as the headphone says`() throws {
    // As a WH-1000XM3 describes itself.
    var proto = asked(
      Self.first, [0x61, 0x02, 0x02, 0x00, 0x01, 0x02, 0x00, 0x14, 0x01, 0x14],
      [0x67, 0x02, 1, 2, 0, 1, 0, 3])
    #expect(proto.capabilities.ancLevels == 0...19)
    #expect(throws: HeadphoneError.self) { try proto.exchanges(for: .setANCLevel(20)) }
    // Another form says nothing; neither does a number that the headphone itself goes beyond.
    #expect(
      asked(Self.first, [0x61, 0x02, 1], [0x67, 0x02, 1, 2, 0, 1, 0, 3])
        .capabilities.ancLevels == 0...20)
    receive([0x69, 0x02, 1, 2, 0, 1, 0, 20], &proto)
    #expect(proto.capabilities.ancLevels == 0...20)
    // Before a level was reported the highest one is sent.
    var fresh = asked(
      Self.first, [0x61, 0x02, 0x02, 0x00, 0x01, 0x02, 0x00, 0x14, 0x01, 0x14],
      [0x67, 0x02, 1, 2, 2, 1, 0, 0])
    #expect(
      try fresh.exchanges(for: .setANC(.transparency)).flatMap(\.values)
        == [[0x68, 0x02, 0x11, 1, 0, 1, 0, 19]])
  }

  @Test func `an alert answers the command that it is raised for, and no other`() throws {
    var proto = asked(Self.first, [0x57, 0x01, 0, 6, 10, 10, 10, 10, 10, 10])
    let alert: [UInt8] = [0x99, 0x01, 0x01, 0x01]
    #expect(receive(alert, &proto).reply == SonyFrame(.acknowledgement, sequence: 1).encoded())
    let request = try #require(
      try proto.exchanges(for: .set(.equaliserPreset, .choice("bright"))).first)
    _ = proto.framed(request.values[0])
    _ = proto.receive(SonyFrame(.acknowledgement, sequence: 1).encoded()[...])
    let answer = receive(alert, &proto)
    #expect(answer.responses == [request.response])
    #expect(
      answer.reply == SonyFrame(.acknowledgement, sequence: 1).encoded()
        + SonyFrame(.command, sequence: 1, payload: [0x98, 0x01, 0x01, 0x00]).encoded())
    do throws(HeadphoneError) {
      _ = try proto.accepted(.set(.equaliserPreset, .choice("bright")))
      Issue.record("it is refused")
    } catch {
      guard case .badArgument(let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(reason.contains("LDAC"))
    }
  }

  @Test func `automatic power off keeps its last time beside "when taken off"`() {
    var proto = asked(Self.second, Self.list)
    #expect(
      receive([0x27, 0x05, 0x10, 0x01], &proto).events
        == [.settingChanged(.autoPowerOff, .choice("when-taken-off"))])
    #expect(
      receive([0x29, 0x05, 0x11, 0x04], &proto).events
        == [.settingChanged(.autoPowerOff, .choice("never"))])
    #expect(
      receive([0x29, 0x05, 0x07, 0x07], &proto).events
        == [.settingChanged(.autoPowerOff, .choice("7"))])
  }

  @Test func `a time that the headphone does not take is refused, and not offered again`()
    throws
  {
    var proto = asked(Self.first, [0xF7, 0x04, 1, 0x10, 0])
    _ = try proto.exchanges(for: .set(.autoPowerOff, .choice("5-minutes")))
    receive([0xF9, 0x04, 1, 0x10, 0], &proto)
    #expect(throws: HeadphoneError.badArgument("the headphone keeps \"When taken off\"")) {
      try proto.accepted(.set(.autoPowerOff, .choice("5-minutes")))
    }
    receive([0xF9, 0x04, 1, 0x01, 1], &proto)
    let declaration = try #require(proto.capabilities.declaration(of: .autoPowerOff))
    #expect(!declaration.accepts(.choice("5-minutes")) && declaration.accepts(.choice("1-hour")))
  }

  @Test func `a codec and a preset without a name are shown by their number`() {
    var proto = asked(Self.second)
    #expect(
      receive([0x13, 0x02, 0x31], &proto).events
        == [.settingChanged("codec", .text("codec 0x31"))])
    #expect(
      receive([0x57, 0x00, 0x55, 6, 10, 10, 10, 10, 10, 10], &proto).events.last
        == .settingChanged(.equaliserPreset, .choice("85")))
  }

  @Test func `the priority of the connection is a setting where it is listed`() throws {
    var proto = asked(Self.first, [0x07, 0x00, 1, 0xE1], [0xE7, 0x01, 0, 0])
    #expect(
      try proto.exchanges(for: .set("connection-priority", .choice("stability"))).flatMap(\.values)
        == [[0xE8, 0x01, 0, 1]])
    #expect(!asked(Self.first, [0xE7, 0x01, 0, 0]).capabilities.declares("connection-priority"))
    var other = asked(Self.second, [0x07, 0x00, 1, 0xE3, 0], [0xE7, 0x02, 2])
    #expect(
      try other.exchanges(for: .set("connection-priority", .choice("quality"))).flatMap(\.values)
        == [[0xE8, 0x02, 0]])
  }
}
