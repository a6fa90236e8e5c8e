import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct `The page of paired devices` {
  private static let own = BluetoothAddress(value: 0x0000_5E00_5301)
  private static let phone = BluetoothAddress(value: 0x0000_5E00_53A1)
  private static let tablet = BluetoothAddress(value: 0x0000_5E00_53A2)

  private static let devices = [
    PairedDevice(own, name: "ThinkPad", isConnected: true),
    PairedDevice(phone, name: "Pixel 8", isConnected: true, isPlaying: true),
    PairedDevice(tablet, name: "iPad", isConnected: false),
  ]

  private func opened(_ actions: [PairedDeviceAction] = PairedDeviceAction.allCases) -> Scenario {
    var capabilities = allFeatures
    capabilities.settings.append(
      SettingDeclaration(
        .pairedDevices, .pairedDevices(actions), title: "Paired devices", label: "Devices",
        group: .device))
    var scenario = Scenario.withReady()
    scenario.given(
      .adapterChanged(.ready(Adapter(name: "hci0", address: Self.own, isPowered: true))),
      .headphone(ear, .described(description(of: capabilities))),
      .headphone(ear, .settingChanged(.pairedDevices, .pairedDevices(Self.devices))),
      .pressed(.pairedDevices))
    return scenario
  }

  private func command(_ scenario: inout Scenario, _ command: UserCommand) -> HeadphoneCommand? {
    for case .perform(ear, let command, _) in scenario.effects(of: .pressed(command)) {
      return command
    }
    return nil
  }

  @Test func `opens with its key and by Enter on its row, and closes with its key`() {
    var scenario = opened()
    #expect(scenario.state.page == .pairedDevices(line: 0))
    scenario.given(.pressed(.pairedDevices))
    #expect(scenario.state.page == .main)
    scenario.given(.pointed(.control(.setting(.pairedDevices))), .pressed(.accept))
    #expect(scenario.state.page == .pairedDevices(line: 0))
  }

  @Test func `knows this computer by its adapter, and asks before it is disconnected`() {
    var scenario = opened()
    #expect(scenario.state.pairedDeviceLines.map(\.isThisComputer) == [true, false, false])
    #expect(command(&scenario, .accept) == nil)
    let question = Question.Subject.pairedDevice(ear, PairedDeviceCommand(.disconnect, Self.own))
    #expect(scenario.state.dialog == .question(Question(question)))
    #expect(command(&scenario, .accept) == nil && scenario.state.dialog == nil)
    scenario.given(.pressed(.accept), .pressed(.right))
    #expect(command(&scenario, .accept) == .pairedDevice(.disconnect, Self.own))
  }

  @Test func `connects and disconnects others at once, and plays from them`() {
    var scenario = opened()
    scenario.given(.pressed(.down))
    #expect(command(&scenario, .routeSound) == nil)
    #expect(scenario.state.notice?.text.contains("already") == true)
    #expect(command(&scenario, .accept) == .pairedDevice(.disconnect, Self.phone))
    // While one is on the air, the next waits.
    scenario.given(.pressed(.down))
    #expect(command(&scenario, .accept) == nil)
    let token = CommandToken(rawValue: 1)
    let next = scenario.effects(
      of: .commandEnded(ear, .pairedDevice(.disconnect, Self.phone), token, .done))
    #expect(
      next.contains(
        .perform(ear, .pairedDevice(.connect, Self.tablet), CommandToken(rawValue: 2))))
  }

  @Test func `asks before a device is forgotten`() {
    var scenario = opened()
    scenario.given(.pressed(.bottom))
    #expect(command(&scenario, .forget) == nil)
    scenario.given(.pressed(.right))
    #expect(command(&scenario, .accept) == .pairedDevice(.forget, Self.tablet))
  }

  @Test func `orders nothing that the headphone does not take, and nothing without a link`() {
    var scenario = opened([.connect])
    scenario.given(.pressed(.down))
    #expect(command(&scenario, .accept) == nil && command(&scenario, .forget) == nil)
    #expect(command(&scenario, .routeSound) == nil && scenario.state.dialog == nil)
    scenario.given(.pressed(.down), .link(ear, .ended(.timeout)))
    #expect(command(&scenario, .accept) == nil)
  }

  @Test func `is not there without the feature`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.pairedDevices))
    #expect(scenario.state.page == .main)
    #expect(
      scenario.state.notice?.text == "this headphone does not say which devices it is paired with")
  }
}
