import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// Each state of the control link, compared with the one in `control-lost`: the headline, the
  /// panel's first lines and the keys.
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
        return (link.name.rawValue, state)
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

  /// A headphone's values: confirmed, pending, unknown, missing, low.
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

@Suite struct `The list of settings` {
  /// A headphone with as many switches as the longest list of a maker.
  private let crowded = Example.state().with { headphone in
    headphone.capabilities?.settings =
      [.wearDetection]
      + (1...16).map { number in
        SettingDeclaration(
          SettingID(rawValue: "switch-\(number)"), .toggle, title: "Switch number \(number)",
          label: "Sw \(number)", group: number < 9 ? .sound : .device)
      }
  }

  @Test(arguments: [
    Size.ordinary, .large, .small, Size(columns: 160, rows: 46), Size(columns: 60, rows: 24),
  ])
  func `scrolls with the cursor, which is always in sight`(size: Size) {
    for row in crowded.controlRows {
      let screen = view(crowded.changed { $0.controlRow = row }, size: size)
      let rows = (0..<size.rows).map(screen.text(row:))
      #expect(rows.count { $0.contains("▸") } == 1, "\(row): \(rows.joined(separator: "\n"))")
    }
  }

  @Test func `says how much of it is in sight`() {
    func text(_ row: ControlRow) -> String {
      let screen = view(crowded.changed { $0.controlRow = row }, size: .ordinary)
      return (0..<24).map(screen.text(row:)).joined(separator: "\n")
    }
    let (top, bottom) = (text(.anc), text(.setting("switch-16")))
    #expect(top.contains(" of 20 ") && top.contains("▼ ") && top.contains("1–"))
    #expect(bottom.contains("–20 of 20") && !bottom.contains("▼"))
    #expect(!view(Example.state(), size: .ordinary).text(row: 2).contains(" of "))
  }

  @Test func `says of an unknown level what its key does`() {
    let screen = view(Example.state().with { $0.ancLevel = Setting() }, size: .large)
    let text = (0..<40).map(screen.text(row:)).joined(separator: "\n")
    #expect(text.contains("not reported, + sets 5"))
  }

  @Test func `has bars from the middle where a value has two sides`() {
    func row(_ level: Int) -> String {
      let state = Example.state().with {
        $0.capabilities?.settings = [
          SettingDeclaration(
            "bass", .level(SettingRange(-10...10)), title: "Bass", label: "Bass", group: .sound)
        ]
        $0.settings["bass"] = Setting(.level(level))
      }
      let screen = view(state, size: .ordinary)
      return (0..<24).map(screen.text(row:)).first { $0.contains("Bass   ") } ?? ""
    }
    #expect(row(0).contains("─┃─") && !row(0).contains("━"))
    #expect(row(3).contains("─┃━") && row(3).contains(" +3"))
    #expect(row(-3).contains("━┃─") && row(-3).contains(" -3"))
  }
}

@Suite struct `What happened last` {
  @Test func `is one line where it arrives together, and says which headphone`() {
    let state = Example.state().changed {
      for (number, id) in $0.headphones.map(\.id).enumerated() {
        $0.log.append(
          LogLine(at: Example.at(Int64(number)), level: .info, headphone: id, text: "found"))
      }
      $0.log.append(
        LogLine(at: Example.at(9), level: .info, headphone: Example.aurora, text: "ready"))
    }
    for columns in [120, 140, 160, 200] {
      let screen = view(state, size: Size(columns: columns, rows: 40))
      let text = (0..<40).map(screen.text(row:)).joined(separator: "\n")
      #expect(text.contains("3 headphones found"), "\(columns)")
      #expect(text.contains("Aurora Pro  ready"), "\(columns)")
    }
  }

  /// The list beside the panels is as narrow as EVENTS become.
  @Test func `has a name whole where its words leave the room`() {
    let state = Example.state().changed {
      $0.headphones.update(Example.aurora) { $0.name = "Aurora Professional" }
      $0.log.append(
        LogLine(at: Example.now, level: .info, headphone: Example.aurora, text: "connected"))
    }
    let screen = view(state, size: Size(columns: 160, rows: 46))
    let text = (0..<46).map(screen.text(row:)).joined(separator: "\n")
    #expect(text.contains("Aurora Professional  connected"))
  }

  /// The last sample may be ten minutes old.
  @Test func `the newest point of the battery history is the charge that is shown`() throws {
    let state = Example.state().with {
      $0.battery?.value[.left] = Battery(level: 9)
      $0.charges = Example.dayOfCharges()
    }
    let screen = view(state, size: Size(columns: 160, rows: 46))
    let title = try #require((0..<46).first { screen.text(row: $0).contains("│ Left 9%") })
    let end = try #require(screen.text(row: title).dropFirst().firstIndex(of: "│"))
    let column = screen.text(row: title).distance(
      from: screen.text(row: title).startIndex, to: end)
    let newest = (title + 1...title + 3).map { screen[column - 2, $0] }
    #expect(newest.contains { $0.role == .batteryCritical || $0.role == .gaugeCritical })
    #expect(newest.allSatisfy { $0.role != .batteryGood })
  }

  @Test func `a critical charge is the headline`() {
    let state = Example.state().with { $0.battery?.value[.left] = Battery(level: 9) }
    let screen = view(state, size: .ordinary)
    #expect(screen.text(row: 1).contains("! Battery nearly empty: left 9%"))
    #expect(screen[3, 1].role == .error)
  }
}
