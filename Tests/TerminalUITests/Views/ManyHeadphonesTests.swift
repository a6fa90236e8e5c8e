import BluetoothCodec
import Companion
import HeadphoneProtocols
import TerminalUI
import Testing

extension Golden {
  /// Several headphones with state, battery and signal.
  static let lists: [Golden] = [
    .screen("headphones", showsRoles: true) { many(6) },
    .screen("headphones-40x12", .small) { many(6) },
    .rows("headphones-two", unlike: { many(6) }) { [("two", many(2))] },
  ]

  private static func many(_ count: Int) -> State {
    var state = Example.state()
    state.headphones = HeadphoneList(headphones.prefix(count))
    state.headphones.select(HeadphoneID(rawValue: "h\(count / 2)"))
    return state
  }

  /// One in each state that a list must tell apart.
  private static let headphones: [HeadphoneState] = {
    let links: [LinkState] = [
      .connected(.ready), .connected(.ready), .pending(.connecting),
      .pending(.waitingForBluetooth(.turn)),
      .reconnecting(Retry(attempt: 2, after: .timeout)),
      .pending(.waitingForBluetooth(.room)),
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

@Suite struct `The selected headphone` {
  @Test(arguments: [["j"], ["]"], ["/", "l", "i", "t"]])
  func `is the one in the header, the panels and the list`(keys: [Unicode.Scalar]) {
    var state = Example.state().changed { $0.focus = .headphones }
    for key in keys.map(Key.character) + [.enter].prefix(keys.count > 1 ? 1 : 0) {
      for action in KeyMap.standard.actions(for: key, in: state) {
        _ = state.reduce(action, at: Example.now)
      }
    }
    let name = "Nimbus Lite"
    for size in [Size.ordinary, Size(columns: 120, rows: 40)] {
      let screen = view(state, size: size)
      let rows = (0..<size.rows).map { screen.text(row: $0) }
      #expect(rows[0].contains("\(name) 2/"))
      #expect(rows.contains { $0.contains("▸\(name)") })
      #expect(rows.filter { $0.contains("▸") }.count == 1, "one cursor")
    }
  }
}

@Suite struct `A search` {
  @Test(arguments: [Page.main, .info(line: 0), .help(line: 0)])
  func `without a match says so`(page: Page) {
    var state = Example.state().changed { $0.page = page }
    for key in (["/", "z", "z", "z"] as [Unicode.Scalar]).map(Key.character) + [.enter] {
      for action in KeyMap.standard.actions(for: key, in: state) {
        _ = state.reduce(action, at: Example.now)
      }
    }
    #expect(state.dialog == nil && state.notice?.text == "no match for \"zzz\"")
  }
}

@Suite struct `The doctor's page` {
  @Test func `says that it looks`() {
    let state = Example.state().changed { $0.page = .doctor(line: 0) }
    #expect(view(state, size: .ordinary).text(row: 2).contains("Checking"))
  }
}
