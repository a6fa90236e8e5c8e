import BluetoothCodec
import Companion
import CompanionRuntime
import HeadphoneProtocols
import JSON
import Testing

@Suite struct WatchTemplateTests {
  private func line(_ text: String, link: LinkState = .connected(.ready)) throws -> String {
    var headphone = HeadphoneState(
      id: HeadphoneID(rawValue: "ear"), name: "Ear",
      address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random))
    headphone.link = link
    headphone.battery = Reading(
      [.left: Battery(level: 84, isCharging: true), .right: Battery(level: 15)],
      seenAt: Timestamp(milliseconds: 0))
    headphone.anc = Setting(.noiseCancelling)
    headphone.wearing = Wearing(left: true, right: false)
    headphone.settings["multipoint"] = Setting(.toggle(true))
    return WatchLine(headphone, in: State(), thresholds: BatteryThresholds())
      .text(.template(try WatchTemplate(text)))
  }

  @Test(
    arguments: [
      ("{left}% {right}%", "84% 15%"), ("{battery} {charging} {alarm}", "15 + low"),
      ("{name}: {anc}, {mode}", "Ear: noise-cancelling, NC"), ("{wearing}", "left"),
      ("{case}{case|--}", "--"), ("{eq|?}", "?"), ("{{{left}}}", "{84}"), ("plain", "plain"),
      ("{multipoint}", "on"), ("{state}", "ready"), ("{left|a|b}", "84"), ("{case|a|b}", "a|b"),
    ])
  func `names in braces stand for values`(_ template: String, _ text: String) throws {
    #expect(try line(template) == text)
  }

  @Test func `without a link what may have changed is unknown`() throws {
    #expect(
      try line("{name} {state} {left|--} {mode|--}", link: .unwanted(.disconnected(.timeout)))
        == "Ear disconnected -- --")
  }

  @Test(
    arguments: [
      ("{lfet}", "unknown placeholder {lfet}; did you mean {left}?"),
      ("{nonsense}", "unknown placeholder {nonsense}"),
      ("{left", "unclosed { in the template"), ("left}", "stray } in the template"),
    ])
  func `a mistake is explained`(_ template: String, _ what: String) {
    #expect(throws: WatchTemplate.Mistake.self) { try WatchTemplate(template) }
    do throws(WatchTemplate.Mistake) { _ = try WatchTemplate(template) } catch {
      #expect(error.what == what)
      #expect(!error.advice.isEmpty)
    }
  }

  @Test func `names of a family's own settings are taken`() throws {
    #expect(try line("{speak-to-chat|-}") == "-")
  }
}
