import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import JSON
import Testing

@testable import Sharing

@Suite struct BudsLinkTests {
  private static let ids = ["f0f1f2f3f4f5", "e0e1e2e3e4e5"].map(HeadphoneID.init(rawValue:))

  /// Returns the state with two headphones in range, of which the first is ready.
  private static func state(
    _ capabilities: Capabilities, after events: [HeadphoneEvent] = []
  ) -> State {
    var state = State()
    let adapter = Adapter(name: "hci1", address: BluetoothAddress(value: 0), isPowered: true)
    let found = ids.enumerated().map { index, id in
      Action.discovered(
        DiscoveredHeadphone(
          id: id, name: "Ear",
          address: PeerAddress(
            BluetoothAddress(value: 0xF0F1_F2F3_F4F5 - UInt64(index)), .random), rssi: -50))
    }
    let description = HeadphoneDescription(
      driver: "", capabilities: capabilities, information: DeviceInformation(), mtu: 185,
      requests: 1)
    let actions: [Action] =
      [.adapterChanged(.ready(adapter))] + found
      + [
        .pressed(.connectOrDisconnect), .link(ids[0], .connected),
        .link(ids[0], .ready(description, isEncrypted: true)),
      ] + events.map { .headphone(ids[0], $0) }
    for action in actions { _ = state.reduce(action, at: Timestamp(milliseconds: 0)) }
    return state
  }

  private static func capabilities(_ parts: [Part], _ modes: [ANCMode]) -> Capabilities {
    var capabilities = Capabilities()
    capabilities.batteries = parts
    capabilities.ancModes = modes
    return capabilities
  }

  @Test func `earbuds have three batteries, a button for each mode, and the path of bluetoothd`()
    throws
  {
    let state = Self.state(
      Self.capabilities(Part.allCases, [.off, .noiseCancelling, .transparency, .adaptive]),
      after: [
        .batteryChanged([
          .left: Battery(level: 80), .right: Battery(level: 70, isCharging: true),
          .case: Battery(level: 20),
        ]), .ancChanged(.transparency),
      ])
    let devices = BudsLinkDevice.all(in: state)
    let device = try #require(devices.first)
    #expect(devices.count == 1)
    #expect(device.path == "/io/github/maniacx/BudsLink/Devices/hci1/dev_F0_F1_F2_F3_F4_F5")
    #expect(device.state["computedBatteryLevel"] == 70)
    #expect((1...3).map { device.state["battery\($0)Level"] } == [80, 70, 20])
    #expect(
      (1...3).map { device.state["battery\($0)Status"] } == [
        "discharging", "charging", "discharging",
      ])
    #expect(device.state["toggle1State"] == 3)
    #expect(device.config["toggle1Button4Name"] == "Adaptive")
    #expect(device.command(for: "toggle1State", 2)?.last == "noise-cancelling")
  }

  @Test(arguments: [0, 3, -1, Int.min, Int.max])
  func `other buttons and actions mean nothing`(_ value: Int) throws {
    let state = Self.state(Self.capabilities([.left], [.off, .noiseCancelling]))
    let device = try #require(BudsLinkDevice.all(in: state).first)
    #expect(device.command(for: "toggle1State", value) == nil)
    #expect(device.command(for: "box1SliderValue", 1) == nil)
    #expect(device.command(for: "toggle1State", 1)?.last == "off")
  }

  @Test func `a headphone without noise control, whose charge is not known, shows neither`() throws
  {
    let state = Self.state(Self.capabilities([.left], []))
    let device = try #require(BudsLinkDevice.all(in: state).first)
    #expect(device.state["battery1Status"] == "not-reported")
    #expect(device.state["computedBatteryLevel"] == 0)
    #expect(device.state["toggle1Visible"] == false && device.state["toggle1State"] == 0)
    #expect(device.config["battery1Icon"] == "headphone1")
    #expect(device.config["battery2Icon"] == .null)
    #expect(device.config["toggle1Button1Icon"] == .null)
  }

  @Test func `nothing is shown without a link`() {
    var state = Self.state(Self.capabilities([.left], []))
    _ = state.reduce(.adapterChanged(.absent), at: Timestamp(milliseconds: 0))
    #expect(BudsLinkDevice.all(in: state).isEmpty)
    #expect(BudsLinkDevice.all(in: State()).isEmpty)
  }
}
