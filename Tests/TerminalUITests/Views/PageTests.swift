import AudioRoute
import Bluetooth
import BluetoothCodec
import Companion
import Headphones
import Testing

@testable import TerminalUI

@Suite struct `Pages and dialogs` {
  @Test(arguments: [(80, 24), (120, 40), (40, 12), (20, 5)])
  func `help lists the live keys`(columns: Int, rows: Int) throws {
    let keys = try KeyMap.standard.applying([KeyBinding(command: "next-anc", keys: ["x", "F5"])])
    let state = Example.state().changed { $0.page = .help(line: 0) }
    expectScreen(
      view(state, size: Size(columns: columns, rows: rows), style: Style(keys: keys)),
      "help-\(columns)x\(rows)")
  }

  @Test func `help can be read to its end`() {
    for rows in [5, 8, 24] {
      let last = UserCommand.allCases.count - 1
      let state = Example.state().changed { $0.page = .help(line: last) }
      let screen = view(state, size: Size(columns: 80, rows: rows))
      #expect((0..<rows).contains { screen.text(row: $0).contains("quit") }, "\(rows) rows")
    }
  }

  @Test(arguments: [(80, 24), (40, 12)])
  func `the log follows the newest line`(columns: Int, rows: Int) {
    let state = Example.state().changed {
      for number in 1...40 {
        $0.log.append(
          LogLine(
            at: Example.at(Int64(number)), level: number % 9 == 0 ? .error : .info,
            headphone: Example.aurora, text: "event number \(number)"))
      }
      $0.page = .log(line: 0)
    }
    expectScreen(view(state, size: Size(columns: columns, rows: rows)), "log-\(columns)x\(rows)")
    let older = view(
      state.changed { $0.page = .log(line: 45) }, size: Size(columns: columns, rows: rows))
    #expect((0..<rows).contains { older.text(row: $0).contains("hci0 is ready") })
  }

  @Test func `the log can be narrowed`() {
    let state = Example.state().changed {
      $0.page = .log(line: 0)
      $0.filter = "noise"
    }
    expectScreen(view(state, size: .ordinary), "log-filtered")
    let nothing = view(state.changed { $0.filter = "no such" }, size: .ordinary)
    #expect(nothing.text(row: 2).contains("No line has this text."))
  }

  @Test(arguments: [(80, 24), (120, 40), (40, 12)])
  func `the log tells packets, byte by byte where that is wanted`(columns: Int, rows: Int) {
    let packet = PacketDetail(
      bytes: [0x1B, 0x24, 0x00, 0xA5, 0x01, 0x20, 0x07, 0x03, 0x01, 0x03, 0xD4], command: 0x20,
      sequence: 7, error: "busy")
    let state = Example.state().changed {
      $0.log.append(
        LogLine(
          at: Example.at(1), level: .debug, subsystem: .att, headphone: Example.aurora,
          link: .ready, text: "sent Write Command to 0022, command",
          packet: PacketDetail(bytes: Array(packet.bytes.dropLast()), command: 0x20, sequence: 7)))
      $0.log.append(
        LogLine(
          at: Example.at(2), level: .debug, subsystem: .att, headphone: Example.aurora,
          link: .ready, text: "heard Handle Value Notification of 0024, response",
          packet: packet))
      $0.page = .log(line: 0)
      $0.logLevel = .trace
    }
    let size = Size(columns: columns, rows: rows)
    expectScreen(view(state, size: size), "log-trace-\(columns)x\(rows)")
    let part = state.changed {
      $0.logSubsystem = .att
      $0.logLevel = .debug
    }
    expectScreen(view(part, size: size), "log-part-\(columns)x\(rows)")
  }

  @Test(arguments: [(80, 24), (40, 12)])
  func `information tells all that is known`(columns: Int, rows: Int) {
    let state = Example.state().changed {
      $0.page = .info(line: 0)
      $0.headphones.update(Example.aurora) { headphone in
        for strength in [-52, -54, -53, -61, -66, -72] as [Int8] { headphone.trend.add(strength) }
        headphone.quality = LinkQuality(
          timing: LEConnectionTiming(interval: 12, latency: 0, supervisionTimeout: 400),
          transmit: .le2M, receive: .le2M)
      }
    }
    expectScreen(view(state, size: Size(columns: columns, rows: rows)), "info-\(columns)x\(rows)")
  }

  @Test(arguments: [(80, 24), (40, 12), (20, 5)])
  func `the list of sound devices lies over the page`(columns: Int, rows: Int) {
    let state = Example.state().changed {
      $0.page = .info(line: 0)
      $0.dialog = .soundChoice(
        SoundChoice(headphone: Example.aurora, devices: Example.sound().devices, line: 1))
    }
    expectScreen(
      view(state, size: Size(columns: columns, rows: rows)), "sound-device-\(columns)x\(rows)")
  }

  @Test func `a switch of profile says what is lost`() {
    let state = Example.state().changed {
      $0.dialog = .question(Question(.switchProfile(Example.aurora, to: .handsFree)))
    }
    expectScreen(view(state, size: .ordinary), "question-profile")
  }

  @Test(arguments: [(80, 24), (40, 12), (20, 5)])
  func `a question is answered with No unless one chooses Yes`(columns: Int, rows: Int) {
    let size = Size(columns: columns, rows: rows)
    var question = Question(.forget(Example.aurora))
    let state = Example.state().changed { $0.dialog = .question(question) }
    expectScreen(view(state, size: size), "question-\(columns)x\(rows)")
    question.isYesChosen = true
    let yes = view(state.changed { $0.dialog = .question(question) }, size: size)
    #expect((0..<rows).contains { yes.text(row: $0).contains("▸ y Yes") })
  }

  @Test func `text is typed in its own frame`() {
    var entry = TextEntry(.rename(Example.aurora), text: "Aurora 音楽")
    let state = Example.state().changed { $0.dialog = .entry(entry) }
    expectScreen(view(state, size: .ordinary), "entry")
    entry.text = String(repeating: "long ", count: 40) + "END"
    entry.complaint = "a name has at most 32 bytes"
    expectScreen(
      view(state.changed { $0.dialog = .entry(entry) }, size: Size(columns: 40, rows: 12)),
      "entry-complaint")
  }

  @Test func `an error stays with its advice, and a key for it`() {
    let state = Example.state().changed {
      $0.problem = Problem(
        "set noise control: the headphone refused: battery too low",
        advice: "put it into its case for some minutes, then try again", remedy: .refresh)
    }
    expectScreen(view(state, size: .ordinary), "problem")
    expectScreen(view(state, size: Size(columns: 40, rows: 12)), "problem-40x12")
  }

  @Test func `a notice names the key that helps`() {
    let state = Example.state().changed {
      $0.notice = Notice("not connected", remedy: .connectOrDisconnect)
    }
    #expect(view(state, size: .ordinary).text(row: 22).contains("not connected  c Disconnect"))
  }
}
