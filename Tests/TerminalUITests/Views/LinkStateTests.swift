import AudioRoute
import Companion
import Headphones
import Testing

@testable import TerminalUI

@Suite struct `The control panel` {
  @Test(arguments: [
    LinkState.idle, .waitingForBluetooth(.adapter), .scanning, .connecting, .discoveringServices,
    .discoveringCharacteristics, .subscribing, .ready, .disconnected(.peer),
    .reconnecting(Retry(attempt: 3, delay: .seconds(4), after: .timeout)),
    .permissionDenied(capability: "CAP_NET_ADMIN"), .bluetoothOff,
    .unsupported(missing: "the command characteristic"), .userCancelled, .pairing,
    .firmwareUpdate, .firmwareRestarting, .factoryReset, .failed(.keysMismatch),
  ])
  func `tells each state of the link`(link: LinkState) {
    let state = Example.state().with {
      $0.link = link
      if link == .firmwareUpdate { $0.firmwareProgress = 37 }
    }.changed {
      if link == .bluetoothOff { $0.adapter = .off(adapter: "hci0") }
      if link == .waitingForBluetooth(.adapter) { $0.adapter = .absent }
      if case .permissionDenied(let capability) = link {
        $0.adapter = .denied(capability: capability)
      }
    }
    expectScreen(view(state, size: .ordinary), "link-\(link.name)")
  }

  @Test func `tells every state apart without colour`() {
    let symbols = Symbols.unicode
    let marks = [LinkState.ready, .connecting, .disconnected(.timeout), .idle].map {
      $0.mark(symbols)
    }
    #expect(Set(marks).count == 4)
  }

  @Test func `shows what was asked for as pending until the headphone confirms`() {
    let state = Example.state().with {
      _ = $0.anc.want(.adaptive, token: CommandToken(rawValue: 1))
      _ = $0.ancLevel.want(8, token: CommandToken(rawValue: 2))
      _ = $0.eq.want(.vocal, token: CommandToken(rawValue: 3))
      _ = $0.settings[.wearDetection].want(.toggle(false), token: CommandToken(rawValue: 4))
    }
    expectScreen(view(state, size: .ordinary), "pending")
  }

  @Test func `shows what is unknown as unknown`() {
    let state = Example.state().with {
      $0.capabilities = nil
      $0.battery = nil
      $0.wearing = nil
      $0.information = DeviceInformation()
      $0.anc = Setting()
      $0.ancLevel = Setting()
      $0.eq = Setting()
      $0.bands = Setting()
      $0.rssi = nil
      $0.lastPacket = nil
      $0.link = .connecting
    }
    expectScreen(view(state, size: .ordinary), "unknown")
  }

  @Test func `leaves out what the headphone does not have`() {
    let state = Example.state().with {
      var capabilities = Capabilities()
      capabilities.ancModes = [.off, .transparency]
      capabilities.batteries = [.left, .right]
      $0.capabilities = capabilities
      $0.anc = Setting(.off)
      $0.bands = Setting()
      $0.wearing = nil
      $0.information = DeviceInformation()
    }
    expectScreen(view(state, size: .ordinary), "few-features")
  }

  @Test func `warns of low charge in displayText`() {
    let state = Example.state().with {
      $0.battery?.value = [
        .left: Battery(level: 7), .right: Battery(level: 17), .case: Battery(level: nil),
      ]
      $0.isCaseOpen = true
      $0.find = Setting([.left, .right])
    }
    expectScreen(view(state, size: .ordinary), "battery-low")
  }
}
