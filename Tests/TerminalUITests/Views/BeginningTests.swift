import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// The app before any headphone is known: virtual headphones, scanning, and problems of the
  /// adapter.
  static let beginning: [Golden] = [
    .screen("begin-scanning", showsRoles: true) { scanning },
    .rows("begin-adapter", unlike: { scanning }) {
      let adapters: [(String, AdapterState)] = [
        ("absent", .absent), ("off", .off(adapter: "hci0")), ("blocked", .blocked(adapter: "hci0")),
        ("denied", .denied(capability: "CAP_NET_RAW")),
      ]
      return adapters.map { name, adapter in
        var state = State()
        state.adapter = adapter
        return (name, state)
      }
    },
  ]

  private static var scanning: State {
    var state = State()
    state.adapter = .ready(Example.virtualAdapter)
    state.scan = .scanning
    return state
  }
}

@Suite struct `The beginning` {

  @Test(arguments: [
    (ScanState.denied(capability: "CAP_NET_RAW"), "not permitted"),
    (.failed(.busy("busy")), "failed"),
    (.scanning, "scanning…"),
  ])
  func `says how the looking goes`(scan: ScanState, displayText: String) {
    let state = Example.state().changed { $0.scan = scan }
    #expect(view(state, size: .ordinary).text(row: 17).contains(displayText))
  }

  @Test(arguments: [1, 2, 9, 40])
  func `keeps the selected headphone in sight`(count: Int) {
    var state = State()
    state.headphones = HeadphoneList(
      (1...count).map {
        HeadphoneState(
          id: HeadphoneID(rawValue: "\($0)"), name: "Headphone \($0)",
          address: PeerAddress(BluetoothAddress(value: 0), .random))
      })
    for headphone in state.headphones {
      state.headphones.select(headphone.id)
      let name = state.headphones.selected?.name ?? "?"
      for size in [Size.ordinary, Size(columns: 60, rows: 24)] {
        let screen = view(state, size: size)
        #expect((0..<size.rows).contains { screen.text(row: $0).contains("•\(name)") }, "\(name)")
      }
    }
  }
}
