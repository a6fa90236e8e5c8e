import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

/// The keys that the screen offers are those that do something; help lists the others as well.
@Suite struct `A key that the screen offers` {
  private static let lists: [PageKind] = [.log, .broadcasts, .scenes, .pairedDevices, .touch]
  private static let sizes = [Size.small, .ordinary, .large]

  private static let pages: [State] = {
    let kinds: [PageKind] = [
      .info, .doctor, .security, .inspector, .touch, .soundSettings, .correction,
    ]
    let pages: [Page] =
      [
        .main, .firmware, .finder, .help(line: 0),
        .equaliser(EQEditor(headphone: Example.aurora, row: .preset)),
        .equaliser(EQEditor(headphone: Example.aurora, row: .band(0))),
      ] + kinds.map { .list($0, line: 0) }
    return pages.map { page in Example.state().changed { $0.page = page } }
      + [Example.correction()]
  }()

  /// Returns a page whose lines come and go, with `count` lines.
  private static func list(_ kind: PageKind, _ count: Int) -> State {
    let numbers = 1...max(1, count)
    var state = Example.state().changed { $0.page = .list(kind, line: 0) }
    switch kind {
    case .log:
      state.log = Log()
      for number in numbers.prefix(count) {
        state.log.append(LogLine(at: Example.now, level: .info, text: "event \(number)"))
      }
    case .broadcasts:
      for number in numbers.prefix(count) {
        let address = PeerAddress(BluetoothAddress(value: UInt64(number)), .random)
        let broadcast = Broadcast(BroadcastID(rawValue: UInt32(number)), at: address)
        _ = state.reduce(.broadcast(.heard(broadcast)), at: Example.now)
      }
    case .scenes:
      var preferences = Preferences()
      preferences.scenes = numbers.prefix(count).map {
        Scene(name: "scene\($0)", wishes: [.init(.noiseMode, "nc")])
      }
      _ = state.reduce(.configured(preferences, isResident: true), at: Example.now)
    case .pairedDevices:
      let devices = numbers.prefix(count).map {
        PairedDevice(BluetoothAddress(value: UInt64($0)), isConnected: true, isThisComputer: false)
      }
      state = state.with {
        $0.capabilities?.settings.append(
          SettingDeclaration(
            .pairedDevices, .pairedDevices([.connect, .disconnect, .play, .forget]),
            title: "Paired devices", label: "Devices", group: .device))
        $0.settings[.pairedDevices] = Setting(.pairedDevices(devices))
      }
    case .touch:
      let choices = ["next", "previous"].map { SettingChoice($0, title: $0) }
      state = state.with {
        $0.capabilities?.hasTouchActions = false
        $0.capabilities?.settings += numbers.prefix(count).map {
          SettingDeclaration(
            SettingID(rawValue: "touch-\($0)"), .choice(choices), title: "Touch \($0)",
            label: "Touch", group: .controls)
        }
      }
    default: break
    }
    return state
  }

  private func offered(_ screen: Screen) -> Set<UserCommand> {
    var commands: Set<UserCommand> = []
    for target in screen.targets {
      // What lies on top counts.
      let place = Mouse(.press, column: target.area.column, row: target.area.row)
      let actions = screen.actions(for: place)
      if actions.count == 1, case .pressed(let command)? = actions.first {
        commands.insert(command)
      }
    }
    return commands
  }

  /// Of two opposite keys that are offered together, a click is the second.
  private static let opposites: [UserCommand: UserCommand] = [
    .down: .up, .right: .left, .pageDown: .pageUp, .bottom: .top, .raise: .lower,
  ]

  private func acts(_ command: UserCommand, _ state: State) -> Bool {
    var changed = state
    let effects = changed.reduce(.pressed(command), at: Example.now)
    // To explain why nothing happens is not enough.
    changed.notice = state.notice
    changed.log = state.log
    return changed != state
      || effects.contains { if case .startTimer(.notice, _) = $0 { false } else { true } }
  }

  @Test(arguments: sizes) func `changes something, wherever the cursor is`(size: Size) {
    let lists = Self.lists.flatMap { kind in [0, 1, 2, 40].map { Self.list(kind, $0) } }
    var seen = 0
    for var state in Self.pages + lists {
      // The first action, whichever it is, gives the desktop the charges.
      _ = state.reduce(.timerFired(.notice), at: Example.now)
      if state.page.kind == .touch, state.touchLines.gestures.isEmpty { continue }
      for _ in 0..<6 {
        for command in offered(view(state, size: size)) {
          let isUseful =
            acts(command, state) || Self.opposites[command].map { acts($0, state) } == true
          #expect(isUseful, "\(command) on \(state.page)")
          seen += 1
        }
        _ = state.reduce(.pressed(.down), at: Example.now)
      }
    }
    #expect(seen > 100)
  }

  @Test(arguments: lists, [0, 1]) func `does not move over a line or none`(
    kind: PageKind, count: Int
  ) {
    let useless: Set<UserCommand> = [.filter, .down, .pageDown, .bottom]
    for size in Self.sizes {
      let commands = offered(view(Self.list(kind, count), size: size))
      #expect(commands.isDisjoint(with: useless))
      #expect(commands.contains(.back))
      #expect(count > 0 || !commands.contains(.copy))
    }
  }

  @Test(arguments: lists, sizes) func `moves by pages only where not all lines are in sight`(
    kind: PageKind, size: Size
  ) {
    for count in [2, 40] {
      let screen = view(Self.list(kind, count), size: size)
      let isLong = (0..<size.rows).contains { screen.text(row: $0).contains(" more ─╯") }
      let isOffered = offered(screen).contains(.pageDown)
      #expect(!isOffered || isLong)
      #expect(isOffered || !isLong || size != .large)
      #expect(isLong == (count == 40))
    }
  }
}
