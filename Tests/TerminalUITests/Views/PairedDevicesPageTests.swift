import BluetoothCodec
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  static let pairedDevices: [Golden] = [
    .screen("paired-devices") { Example.pairedDevices(line: 1) },
    .screen("paired-devices-40x12", .small) { Example.pairedDevices(line: 2) },
    .rows("paired-devices-scenes", unlike: { Example.pairedDevices(line: 1) }) {
      [
        (
          "no link",
          Example.pairedDevices(line: 1).with { $0.link = .unwanted(.disconnected(.timeout)) }
        ),
        (
          "connecting",
          Example.pairedDevices(line: 2).with {
            _ = $0.deviceCommand.want(
              PairedDeviceCommand(.connect, Example.tablet), token: CommandToken(rawValue: 1))
          }
        ),
        ("none", Example.pairedDevices(line: 0, devices: [])),
        (
          "forget",
          Example.pairedDevices(line: 2).changed {
            $0.dialog = .question(
              Question(.pairedDevice(Example.aurora, PairedDeviceCommand(.forget, Example.tablet))))
          }
        ),
      ]
    },
  ]
}

extension Example {
  fileprivate static let tablet = BluetoothAddress(value: 0x0000_5E00_53A2)

  fileprivate static func pairedDevices(
    line: Int,
    devices: [PairedDevice] = [
      PairedDevice(
        BluetoothAddress(value: 0x0000_5E00_53A0), name: "ThinkPad", isConnected: true,
        isPlaying: true, isThisComputer: true),
      PairedDevice(
        BluetoothAddress(value: 0x0000_5E00_53A1), name: "Zo\u{EB}'s \u{1B}[31mPixel",
        isConnected: true, isPreferred: true, isThisComputer: false),
      PairedDevice(tablet, isConnected: false, isThisComputer: false),
    ]
  ) -> State {
    state().with { headphone in
      headphone.capabilities?.settings.append(
        SettingDeclaration(
          .pairedDevices, .pairedDevices([.connect, .disconnect, .play, .forget]),
          title: "Paired devices", label: "Devices", group: .device))
      headphone.settings[.pairedDevices] = Setting(.pairedDevices(devices))
    }.changed { $0.page = .pairedDevices(line: line) }
  }
}

@Suite struct `The page of paired devices` {
  @Test func `has a target for each device, and shows no control sequence`() {
    let screen = view(Example.pairedDevices(line: 0), size: .ordinary)
    let lines = (0..<screen.size.rows).compactMap { row in
      screen.actions(for: Mouse(.press, column: 10, row: row)).first
    }
    for line in 0..<3 { #expect(lines.contains(.pointed(.line(line)))) }
    let text = (0..<screen.size.rows).map(screen.text(row:)).joined()
    #expect(text.contains("Zo\u{EB}'s \u{FFFD}[31mPixel"))
  }
}
