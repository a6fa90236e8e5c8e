import BluetoothCodec
import Companion
import CompanionRuntime
import HeadphoneProtocols
import JSON
import TerminalUI
import Testing

/// A setting from the headphone's bytes to the screen, a key, the command line and JSON, and back
/// (docs/add-your-headphone.md).
@Suite struct SettingWalkTests {
  private let id = HeadphoneID(rawValue: "airpods")

  private func packet(_ value: UInt8) -> ArraySlice<UInt8> {
    [0x04, 0x00, 0x04, 0x00, 0x09, 0x00, 0x28, value, 0x00, 0x00, 0x00]
  }

  @discardableResult
  private func reduce(_ action: Action, _ state: inout State) -> [Effect] {
    state.reduce(action, at: Example.now)
  }

  private func row(_ state: State) -> String? {
    let screen = view(state, size: Size(columns: 80, rows: 30))
    return (0..<30).map(screen.text(row:)).first { $0.contains("Conversation awareness") }
  }

  @Test func `a declared switch goes from its byte to the screen, and from a key to its byte`()
    throws
  {
    var proto = AACPProtocol()
    _ = proto.questions()
    var state = Example.state()
    state.headphones = HeadphoneList()
    // A packet is an event, and declares the setting.
    let news = proto.receive(packet(2)).events
    let description = HeadphoneDescription(
      driver: AACPProtocol.name, capabilities: proto.capabilities,
      information: DeviceInformation(), mtu: nil, requests: 1)
    reduce(
      .discovered(
        DiscoveredHeadphone(
          id: id, name: "AirPods",
          address: PeerAddress(BluetoothAddress(value: 0x3C22_FB00_0001), .classic), rssi: -50)),
      &state)
    for action in [Action.pressed(.connectOrDisconnect), .link(id, .connected)] {
      reduce(action, &state)
    }
    for event in news { reduce(.headphone(id, event), &state) }
    reduce(.link(id, .ready(description, isEncrypted: true)), &state)

    // The screen has a row for it, and the cursor goes there.
    #expect(row(state)?.contains("○ off") == true)
    state.focus = .control
    for key in [Key.end, .right] {
      guard case .pressed(let command)? = KeyMap.standard.actions(for: key, in: state).first else {
        Issue.record("\(key) means nothing")
        return
      }
      let effects = reduce(.pressed(command), &state)
      guard key == .right else { continue }
      #expect(state.controlRow == .setting("conversation-awareness"))
      // The key asks for the other state, which is pending on the screen.
      guard case .perform(id, let command, let token)? = effects.first else {
        Issue.record("\(effects)")
        return
      }
      #expect(command == .set("conversation-awareness", .toggle(true)))
      #expect(row(state)?.contains("● on…") == true)
      // The command is bytes, which the headphone may repeat.
      let exchange = try #require(try proto.exchanges(for: command).first)
      #expect(exchange.values == [packet(1)])
      let echo = proto.receive(packet(1))
      #expect(!exchange.hasResponse && !echo.events.isEmpty)
      for event in echo.events { reduce(.headphone(id, event), &state) }
      reduce(.commandEnded(id, command, token, .done), &state)
    }
    #expect(row(state)?.contains("● on ") == true)

    // Commands and JSON know it by the same declaration.
    let headphone = try #require(state.headphones[id])
    let declaration = try #require(
      headphone.capabilities?.declaration(of: "conversation-awareness"))
    #expect(
      headphone.command(setting: declaration.id, to: try declaration.value(of: "off"))
        == .set("conversation-awareness", .toggle(false)))
    #expect(
      StatusReport(headphone, in: state).json["settings"] == ["conversation-awareness": true])
    #expect(
      SettingsReport(headphone).text.contains("conversation-awareness  on (on or off)"))
    #expect(StatusReport(headphone, in: state).text.contains("Conversation awareness"))
  }
}
