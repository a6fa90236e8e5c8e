import AudioRoute
import BluetoothCodec
import BluetoothRadio
import Companion
import Desktop
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// The pages other than the main one without a separate file here.
  static let pages: [Golden] =
    [
      help(.ordinary, showsRoles: true), help(.large), help(.small),
      help(Size(columns: 20, rows: 5)),
      .screen("log", showsRoles: true) { Example.log() },
      .screen("log-40x12", .small) { Example.log() },
      .screen("log-trace-120x40", .large) { packets },
      .rows("log-narrowed", unlike: Example.log) {
        [
          ("by text", Example.log().changed { $0.filter = "noise" }),
          ("packets of one part", packetsOfOnePart),
        ]
      },
      .rows("log-trace-40x12", .small, unlike: Example.log) {
        [("all", packets), ("packets of one part", packetsOfOnePart)]
      },
      .screen("info", showsRoles: true) { information },
      .screen("info-40x12", .small) { information },
      .screen("info-120x40", .large) { information },
      .screen("sound-in-use") { soundInUse },
      .screen("sound-in-use-ascii", .small, style: Style(symbols: .ascii)) { soundInUse },
      .screen("microphones") {
        soundInUse.changed {
          $0.dialog = .soundChoice(
            SoundChoice(
              headphone: Example.aurora,
              options: .microphones($0.microphones(of: $0.headphones.selected))))
        }
      },
      .screen("overall-charge") {
        Example.state().with {
          $0.battery = nil
          $0.link = .unwanted(.idle)
        }.receiving(.deviceNews(.charge(BluetoothAddress(value: 0x0011_2233_4455), 33)))
      },
      .screen("doctor", showsRoles: true) { doctor },
      .screen("doctor-40x12", .small) { doctor },
      .rows("doctor-virtual", unlike: { doctor }) {
        [("virtual headphones", doctor.changed { $0.adapter = .ready(Example.virtualAdapter) })]
      },
      .screen("security", Size(columns: 100, rows: 60)) { security },
      .screen("security-40x12", .small) { security },
      .rows("security-unread", unlike: { security }) {
        [("not examined", Example.state().changed { $0.page = .security(line: 0) })]
      },
    ]

  private static func help(_ size: Size, showsRoles: Bool = false) -> Golden {
    let keys = try? KeyMap.standard.applying([KeyBinding(command: "next-anc", keys: ["x", "F5"])])
    return .screen(
      "help" + size.suffix, size, showsRoles: showsRoles, style: Style(keys: keys ?? .standard)
    ) { Example.state().changed { $0.page = .help(line: 0) } }
  }

  private static var packets: State {
    let packet = PacketDetail(
      bytes: [0x1B, 0x24, 0x00, 0xA5, 0x01, 0x20, 0x07, 0x03, 0x01, 0x03, 0xD4], command: 0x20,
      sequence: 7, error: "busy")
    return Example.state().changed {
      $0.log.append(
        LogLine(
          at: Example.at(1), level: .debug, subsystem: .att, headphone: Example.aurora,
          link: .connected(.ready), text: "sent Write Command to 0022, command",
          packet: PacketDetail(bytes: Array(packet.bytes.dropLast()), command: 0x20, sequence: 7)))
      $0.log.append(
        LogLine(
          at: Example.at(2), level: .debug, subsystem: .att, headphone: Example.aurora,
          link: .connected(.ready), text: "heard Handle Value Notification of 0024, response",
          packet: packet))
      $0.page = .log(line: 0)
      $0.logLevel = .trace
    }
  }

  private static var packetsOfOnePart: State {
    packets.changed {
      $0.logSubsystem = .att
      $0.logLevel = .debug
    }
  }

  private static var information: State {
    Example.state().with { headphone in
      for strength in [-52, -54, -53, -61, -66, -72] as [Int8] { headphone.trend.add(strength) }
      headphone.quality = LinkQuality(
        timing: LEConnectionTiming(interval: 12, latency: 0, supervisionTimeout: 400),
        transmit: .le2M, receive: .le2M)
    }.changed { $0.page = .info(line: 0) }
  }

  /// A headphone with a short key, on a discoverable computer.
  private static var security: State {
    var computer = ComputerSecurityFacts()
    computer.hasDaemon = true
    computer.daemonVersion = VersionNumber("5.66")
    computer.adapter = .init(
      isPairable: true, pairableTimeout: 0, isDiscoverable: true, discoverableTimeout: 0)
    computer.bondedOnly = .standard
    computer.justWorks = .set("confirm")
    computer.alwaysPairable = .standard
    computer.kernel = VersionNumber("6.12.79")
    computer.kernelRelease = "6.12.79-1"
    computer.isBlocked = false
    var survey = HeadphoneSurvey()
    survey.lowEnergyServices = [.bit16(0x180F)]
    survey.classicServices = []
    survey.classicProtection = LinkProtection(level: .medium, keySize: 7)
    return Example.state().changed { $0.page = .security(line: 0) }
      .receiving(.securityExamined(computer, Example.aurora, survey))
  }

  private static var doctor: State {
    Example.state().changed {
      $0.page = .doctor(line: 0)
      $0.diagnosis = [
        DiagnosticResult(.kernel, .ok, "the kernel supports Bluetooth"),
        DiagnosticResult(.power, .problem, "hci0 is off", fix: "bluetoothctl power on"),
        DiagnosticResult(
          .netRaw, .warning, "looking for headphones needs CAP_NET_RAW",
          fix: "sudo setcap cap_net_raw+ep /usr/bin/earshot"),
        DiagnosticResult(.soundServer, .unknown, "the sound server does not answer"),
      ]
    }
  }

  /// Questions, text fields, lists and problems over a page.
  static let dialogs: [Golden] = [
    .screen("question", showsRoles: true) { question },
    .screen("question-40x12", .small) { question },
    .screen("question-20x5", Size(columns: 20, rows: 5)) { question },
    .screen("entry", showsRoles: true) { rename("Aurora 音楽") },
    .screen("entry-complaint-40x12", .small) {
      rename(
        String(repeating: "long ", count: 40) + "END", complaint: "a name has at most 32 bytes")
    },
    .screen("sound-device", showsRoles: true) { soundChoice },
    .screen("sound-device-40x12", .small) { soundChoice },
    .rows("sound-mode", unlike: { soundChoice }) { [("profiles and codecs", soundMode)] },
    .screen("sound-device-20x5", Size(columns: 20, rows: 5)) { soundChoice },
    // The equaliser asks for a name, and before it deletes.
    .rows("questions", unlike: { question }) {
      [
        (
          "delete preset",
          Example.state().changed {
            $0.dialog = .question(Question(.deleteEQ(name: "Late evening")))
          }
        )
      ]
    },
    .rows("entries", unlike: { rename("Aurora 音楽") }) {
      [
        (
          "save preset",
          Example.state().changed { $0.dialog = .entry(TextEntry(.saveEQ([]), text: "Late")) }
        )
      ]
    },
    .rows("problem", showsRoles: true, unlike: Example.state) { [("problem", problem)] },
    .rows("problem-40x12", .small, unlike: Example.state) { [("problem", problem)] },
  ]

  private static var question: State {
    Example.state().changed { $0.dialog = .question(Question(.forget(Example.aurora))) }
  }

  private static func rename(_ text: String, complaint: String? = nil) -> State {
    var entry = TextEntry(.rename(Example.aurora), text: text)
    entry.complaint = complaint
    return Example.state().changed { $0.dialog = .entry(entry) }
  }

  private static var soundChoice: State {
    information.changed {
      $0.dialog = .soundChoice(
        SoundChoice(
          headphone: Example.aurora, options: .devices(Example.sound().devices), line: 1))
    }
  }

  private static var soundMode: State {
    information.changed {
      let modes = [
        SoundMode(
          profile: CardProfile(name: "a2dp-sink-sbc_xq", description: ""), codec: nil,
          isActive: true),
        SoundMode(
          profile: CardProfile(name: "headset-head-unit-msbc", description: ""), codec: nil,
          isActive: false),
        SoundMode(
          profile: CardProfile(name: "off", description: ""), codec: nil, isActive: false),
      ]
      $0.dialog = .soundChoice(SoundChoice(headphone: Example.aurora, options: .modes(modes)))
    }
  }

  /// A call with the headphone's microphone, and a paused media player.
  private static var soundInUse: State {
    var sound = Example.sound()
    sound.sinks[2].bluetooth?.profile = .handsFree
    sound.sinks[2].card = "bluez_card"
    sound.cards = [
      AudioCard(
        name: "bluez_card", description: "Aurora Pro", address: "00:11:22:33:44:55",
        activeProfile: "headset-head-unit",
        profiles: [
          CardProfile(name: "a2dp-sink", description: ""),
          CardProfile(name: "headset-head-unit", description: ""),
        ])
    ]
    sound.sources = [
      AudioSource(name: "pci", description: "Built-in Audio Analog Stereo"),
      AudioSource(
        name: "bluez_input", description: "Aurora Pro", isBluetooth: true, card: "bluez_card",
        programs: ["Caller"]),
    ]
    sound.defaultSource = "bluez_input"
    let player = MediaPlayer(name: "org.mpris.MediaPlayer2.mpv", owner: ":1.7")
    return Example.state().changed {
      $0.audio = .running(sound)
      $0.nowPlaying = NowPlaying(
        player: player, .paused, title: "A Song \u{1B}[31m", artists: ["Somebody"])
    }
  }

  private static var problem: State {
    Example.state().changed {
      $0.problem = Problem(
        "set noise control: the headphone refused: battery too low",
        advice: "put it into its case for some minutes, then try again", remedy: .refresh)
    }
  }
}

extension Example {
  /// Returns the log page, longer than the screen.
  static func log() -> State {
    state().changed {
      for number in 1...40 {
        $0.log.append(
          LogLine(
            at: at(Int64(number)), level: number % 9 == 0 ? .error : .info, headphone: aurora,
            text: "event number \(number)"))
      }
      $0.page = .log(line: 0)
    }
  }
}

@Suite struct `Pages and dialogs` {
  /// Returns the help row that shows a text, on a terminal high enough for all rows.
  private func helpRow(_ state: State, showing text: some StringProtocol) -> (Screen, row: Int?) {
    let screen = view(state, size: Size(columns: 99, rows: 120))
    return (screen, (0..<120).first { screen.text(row: $0).contains(text) })
  }

  @Test func `each kind of page has its drawing`() {
    #expect(PageView.all.map(\.kind) == PageKind.allCases)
  }

  @Test func `a click on a line of the help runs the command that it shows`() throws {
    var state = Example.state().changed { $0.page = .help(line: 0) }
    let (screen, row) = helpRow(state, showing: "scan for headphones")
    let actions = screen.actions(for: Mouse(.press, column: 40, row: try #require(row)))
    #expect(actions.flatMap { state.reduce($0, at: Example.now) }.contains(.startScan))
    #expect(state.page == .main)
  }

  @Test func `the row with the cursor of the help is the command that Enter runs`() throws {
    for line in UserCommand.allCases.indices {
      var state = Example.state().changed { $0.page = .help(line: line) }
      let (command, summary) = (state.helpLines[line].command, state.helpLines[line].summary)
      let (screen, row) = helpRow(state, showing: "▸ ")
      let text = screen.text(row: try #require(row, "\(command)"))
      #expect(text.contains(summary.prefix(40)), "\(command)")
      // What is copied is the name of what Enter runs.
      let copied = state.reduce(.pressed(.copy), at: Example.now)
      #expect(copied.contains(.copy(command.name)), "\(command)")
    }
  }

  @Test func `a command of the help that would do nothing says why, with the key that helps`()
    throws
  {
    let help = Example.state().changed { $0.page = .help(line: 0) }
    let line = try #require(help.helpLines.firstIndex { $0.command == .nextANC })
    let state = Example.state().changed {
      $0.page = .help(line: line)
      $0.headphones.update(Example.aurora) { $0.link = .unwanted(.disconnected(.user)) }
    }
    let screen = view(state, size: .ordinary)
    #expect(
      screen.text(row: 0).contains("KEYS ─") && screen.text(row: 0).contains("c Not connected"))
    #expect(!screen.text(row: 23).contains("Run"))
    let column = try #require(screen.text(row: 0).firstRange(of: "c Not")).lowerBound
    let place = screen.text(row: 0).distance(from: screen.text(row: 0).startIndex, to: column)
    #expect(
      screen.actions(for: Mouse(.press, column: place, row: 0)) == [.pressed(.connectOrDisconnect)])
    #expect(
      view(Example.state().changed { $0.page = .help(line: line) }, size: .ordinary)
        .text(row: 23).contains("Enter Run"))
  }

  @Test func `help can be read to its end`() {
    for rows in [5, 8, 24] {
      let last = UserCommand.allCases.count - 1
      let state = Example.state().changed { $0.page = .help(line: last) }
      let screen = view(state, size: Size(columns: 80, rows: rows))
      #expect((0..<rows).contains { screen.text(row: $0).contains("▸") }, "\(rows) rows")
    }
  }

  @Test(arguments: [Size.ordinary, .small])
  func `the log goes back to its oldest line`(size: Size) {
    let older = view(Example.log().changed { $0.page = .log(line: 45) }, size: size)
    #expect((0..<size.rows).contains { older.text(row: $0).contains("hci0 is ready") })
  }

  @Test func `a log without the text that was looked for says so`() {
    let nothing = view(Example.log().changed { $0.filter = "no such" }, size: .ordinary)
    #expect(nothing.text(row: 2).contains("No matches."))
  }

  @Test func `a question is answered with No unless one chooses Yes`() {
    for size in [Size.ordinary, .small, Size(columns: 20, rows: 5)] {
      var question = Question(.forget(Example.aurora))
      question.isYesChosen = true
      let yes = view(Example.state().changed { $0.dialog = .question(question) }, size: size)
      // The verb has no room on the smallest.
      let answer = size.columns < 24 ? "▸ y Yes" : "▸ y Forget"
      #expect((0..<size.rows).contains { yes.text(row: $0).contains(answer) })
    }
  }

  @Test func `a notice names the key that helps`() {
    let state = Example.state().changed {
      $0.notice = Notice("not connected", remedy: .connectOrDisconnect)
    }
    #expect(view(state, size: .ordinary).text(row: 22).contains("Not connected  c Disconnect"))
  }
}
