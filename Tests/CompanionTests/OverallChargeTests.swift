import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

/// Charges that bluetoothd reports, and those that it is given.
@Suite struct OverallChargeTests {
  private let address = BluetoothAddress(value: 0xF0F1_F2F3_F4F5)

  @Test func `a scan that failed without bluetoothd begins again with it`() {
    var scenario = Scenario()
    scenario.given(
      .adapterChanged(hci0),
      .scan(.denied(capability: "CAP_NET_RAW", isBluetoothdGone: true)))
    #expect(scenario.state.problem?.text.hasPrefix("bluetoothd is not running") == true)
    #expect(scenario.effects(of: .deviceNews(.bluetoothdStarted)) == [.startScan])
    scenario.given(.scan(.started))
    #expect(scenario.state.problem == nil)
    #expect(scenario.effects(of: .deviceNews(.bluetoothdStarted)).isEmpty)
  }

  @Test func `bluetoothd's figure counts where no part's is known`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.deviceNews(.charge(address, 80)))
    #expect(scenario.state.headphones[ear]?.onlyCharge == 80)
    scenario.given(.deviceNews(.charge(BluetoothAddress(value: 1), 10)))
    #expect(scenario.state.headphones[ear]?.onlyCharge == 80)
    scenario.given(.deviceNews(.charge(address, nil)))
    #expect(scenario.state.headphones[ear]?.onlyCharge == nil)
    // Those of its parts are better.
    var ready = Scenario.withReady()
    ready.given(
      .deviceNews(.charge(address, 80)),
      .headphone(ear, .batteryChanged([.left: Battery(level: 55)])))
    #expect(ready.state.headphones[ear]?.onlyCharge == nil)
  }

  @Test func `a headphone that is found later has its charge`() {
    var scenario = Scenario.withAdapter()
    scenario.given(.deviceNews(.charge(address, 80)), .discovered(peripheral(ear)))
    #expect(scenario.state.headphones[ear]?.onlyCharge == 80)
  }

  @Test func `the bud that ends first is the desktop's charge, while the link is up`() {
    var scenario = Scenario.withReady()
    let buds: [Part: Battery] = [
      .left: Battery(level: 70), .right: Battery(level: 40), .case: Battery(level: 5),
    ]
    let shared = Effect.shareCharges([HeadphoneCharge(addresses: [address], percent: 40)])
    let effects = scenario.allEffects(of: .headphone(ear, .batteryChanged(buds)))
    #expect(effects.filter { $0 == shared }.count == 1)
    #expect(!scenario.allEffects(of: .headphone(ear, .batteryChanged(buds))).contains(shared))
    #expect(
      scenario.allEffects(of: .link(ear, .ended(.peer))).contains(.shareCharges([])))
  }

  @Test func `a headphone that another program removes goes from the list`() {
    var scenario = Scenario.withReady()
    let effects = scenario.effects(of: .deviceNews(.removed(address)))
    #expect(scenario.state.headphones.isEmpty)
    #expect(effects.contains(.disconnect(ear)) && effects.contains(.drop(ear)))
    #expect(!effects.contains(.forget(ear)))
    #expect(scenario.state.notice?.text == "Ear (a) was removed by another program")
    #expect(scenario.effects(of: .deviceNews(.removed(address))).isEmpty)
  }
}
