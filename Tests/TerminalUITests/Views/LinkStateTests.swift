import AudioRoute
import Bluetooth
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// Each state of the control link, against the one in `control-lost`: the headline, the panel's
  /// first lines and the keys.
  static let links: [Golden] = [
    .rows(
      "links", rows: [1, 3, 4, 23], showsRoles: true,
      unlike: { Example.state().with { $0.link = .unwanted(.disconnected(.timeout)) } }
    ) {
      linkStates.map { link in
        let state = Example.state().with {
          $0.link = link
          if link.use == .firmwareUpdate { $0.firmwareProgress = 37 }
        }.changed {
          if link.attempt == .waitingForBluetooth(.power) { $0.adapter = .off(adapter: "hci0") }
          if link.attempt == .waitingForBluetooth(.adapter) { $0.adapter = .absent }
          if case .unwanted(.permissionDenied(let capability)) = link {
            $0.adapter = .denied(capability: capability)
          }
        }
        return (link.name, state)
      }
    }
  ]

  private static let linkStates: [LinkState] = [
    .unwanted(.idle), .pending(.waitingForBluetooth(.adapter)), .pending(.scanning),
    .pending(.connecting), .connected(.starting(.discoveringServices)),
    .connected(.starting(.discoveringCharacteristics)), .connected(.starting(.subscribing)),
    .unwanted(.disconnected(.peer)),
    .reconnecting(Retry(attempt: 3, after: .timeout)),
    .unwanted(.permissionDenied(capability: "CAP_NET_ADMIN")),
    .pending(.waitingForBluetooth(.power)),
    .unwanted(.unsupported(missing: "the command characteristic")), .unwanted(.userCancelled),
    .connected(.pairing()), .connected(.firmwareUpdate), .firmwareRestarting(),
    .connected(.factoryReset), .unwanted(.failed(.security(.keyMissing))),
  ]

  /// What the headphone says of itself: confirmed, asked for, unknown, not there, low.
  static let readings: [Golden] = [
    .screen("unknown", showsRoles: true) { unknown },
    .rows("readings", showsRoles: true, unlike: Example.state) {
      [("pending", pending), ("few features", fewFeatures), ("battery low", batteryLow)]
    },
  ]

  private static var pending: State {
    Example.state().with {
      _ = $0.anc.want(.adaptive, token: CommandToken(rawValue: 1))
      _ = $0.ancLevel.want(8, token: CommandToken(rawValue: 2))
      _ = $0.eq.want(.vocal, token: CommandToken(rawValue: 3))
      _ = $0.settings[.wearDetection].want(.toggle(false), token: CommandToken(rawValue: 4))
    }
  }

  private static var unknown: State {
    Example.state().with {
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
      $0.link = .pending(.connecting)
    }
  }

  private static var fewFeatures: State {
    Example.state().with {
      var capabilities = Capabilities()
      capabilities.ancModes = [.off, .transparency]
      capabilities.batteries = [.left, .right]
      $0.capabilities = capabilities
      $0.anc = Setting(.off)
      $0.bands = Setting()
      $0.wearing = nil
      $0.information = DeviceInformation()
    }
  }

  private static var batteryLow: State {
    Example.state().with {
      $0.battery?.value = [
        .left: Battery(level: 7), .right: Battery(level: 17), .case: Battery(level: nil),
      ]
      $0.isCaseOpen = true
      $0.find = Setting([.left, .right])
    }
  }
}

@Suite struct `The control panel` {
  @Test func `tells every state apart without colour`() {
    let symbols = Symbols.unicode
    let marks = [
      LinkState.connected(.ready), .pending(.connecting), .unwanted(.disconnected(.timeout)),
      .unwanted(.idle),
    ].map {
      $0.mark(symbols)
    }
    #expect(Set(marks).count == 4)
  }
}
