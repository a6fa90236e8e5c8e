import BluetoothCodec
import Companion
import Headphones
import TerminalUI
import Testing

@Suite struct `Several headphones` {
  @Test(arguments: [2, 6], [(80, 24), (120, 40), (40, 12)])
  func `are listed with state, battery and signal`(count: Int, size: (Int, Int)) {
    var state = Example.state()
    state.headphones = HeadphoneList(Self.headphones.prefix(count))
    state.headphones.moveSelection(by: count / 2)
    expectScreen(
      view(state, size: Size(columns: size.0, rows: size.1)), "many-\(count)-\(size.0)x\(size.1)")
  }

  /// One in each state that a list must tell apart.
  private static let headphones: [HeadphoneState] = {
    let links: [LinkState] = [
      .ready, .ready, .connecting, .waitingForBluetooth(.turn),
      .reconnecting(Retry(attempt: 2, delay: .seconds(2), after: .timeout)),
      .waitingForBluetooth(.room),
    ]
    return links.enumerated().map { number, link in
      var headphone = HeadphoneState(
        id: HeadphoneID(rawValue: "h\(number)"), name: "Aurora Pro \(number + 1)",
        address: PeerAddress(BluetoothAddress(value: 0xC000_0000_0000 + UInt64(number)), .random),
        rssi: Int8(-48 - 7 * number))
      headphone.link = link
      if number != 2 {
        headphone.battery = Reading(
          [
            .left: Battery(level: UInt8(91 - 16 * number)),
            .right: Battery(level: UInt8(88 - 15 * number)),
          ], seenAt: Example.now)
      }
      return headphone
    }
  }()
}

@Suite struct `The doctor's page` {
  @Test(arguments: [(80, 24), (120, 40), (40, 12)])
  func `tells each finding and what fixes it`(columns: Int, rows: Int) {
    let state = Example.state().changed {
      $0.page = .doctor(line: 0)
      $0.findings = [
        Finding(.kernel, .ok, "Linux has Bluetooth"),
        Finding(.power, .problem, "hci0 is off", remedy: "bluetoothctl power on"),
        Finding(
          .netRaw, .warning, "looking for headphones needs CAP_NET_RAW",
          remedy: "sudo setcap cap_net_raw+ep /usr/bin/earshot"),
        Finding(.soundServer, .unknown, "the sound server does not answer"),
      ]
    }
    expectScreen(
      view(state, size: Size(columns: columns, rows: rows)), "doctor-\(columns)x\(rows)")
  }

  @Test func `says that it looks`() {
    let state = Example.state().changed { $0.page = .doctor(line: 0) }
    #expect(view(state, size: .ordinary).text(row: 2).contains("Looking"))
  }
}
