import AudioRoute
import Companion
import Testing

@testable import TerminalUI

@Suite struct `The wires` {
  /// Returns the first row of both panels.
  private func row(
    _ state: State, _ style: Style = Style(), size: Size = .ordinary
  ) -> String {
    view(state, size: size, style: style).text(row: 3)
  }

  private func text(_ state: State, size: Size) -> String {
    let screen = view(state, size: size)
    return (0..<size.rows).map(screen.text(row:)).joined(separator: "\n")
  }

  @Test func `of the sound is told apart without colour`() {
    let plays = Example.state()
    let rests = plays.changed { state in
      guard case .running(var sound) = state.audio else { return }
      sound.sinks[2].activity = .suspended
      state.audio = .running(sound)
    }
    let elsewhere = plays.changed { $0.audio = .running(Example.sound(to: "hdmi")) }
    let broken = plays.changed { $0.audio = .running(Example.soundElsewhere()) }
    #expect(row(plays).contains("♪ ━ A2DP · LDAC ━▶  ● playing"))
    #expect(row(rests).contains("♪ ─ A2DP · LDAC ─▶  ● silent"))
    #expect(row(elsewhere).contains("♪ ━━━━╮ ╌╌╌╌╌╌╌╌╌▶ ◐ elsewhere"))
    #expect(row(broken).contains("♪ ━━━━╮ ╌╌╌╌╌✕╌╌╌╌  ○ no sound"))
    // The branch hangs from the bend, and names where the sound goes.
    for (state, name) in [(elsewhere, "HDMI"), (broken, "Built-in Audio")] {
      let screen = view(state, size: .ordinary)
      let bend = Array(screen.text(row: 3)).dropFirst().firstIndex(of: "╮")
      let below = Array(screen.text(row: 4))
      #expect(bend.map { below[$0] } == "╰" && screen.text(row: 4).contains("╰━▶ \(name)"))
    }
    for state in [plays, rests] { #expect(!row(state).dropFirst(1).prefix(34).contains("╮")) }
    for style in [Style(symbols: .ascii), Style(symbols: .console)] {
      #expect(row(plays, style).contains("=>  * playing"))
      #expect(row(rests, style).contains("->  * silent"))
      #expect(row(broken, style).contains("-x-"))
    }
  }

  @Test(arguments: [Size.ordinary, .large, Size(columns: 200, rows: 60)])
  func `of both links are drawn alike, one up and one down`(size: Size) throws {
    let up = row(Example.state(), size: size)
    #expect(up.count { $0 == "▶" } == 2 && up.contains("BLE · ▂▄▆█") && up.contains("● ready"))
    let lost = row(
      Example.state().with { $0.link = .unwanted(.disconnected(.timeout)) }, size: size)
    #expect(lost.contains("▶  ● playing") && lost.contains("✕") && lost.contains("✗ link lost"))
    // From the panel's first column to the state.
    let (sound, control) = (
      try #require(up.firstRange(of: "♪")), try #require(up.firstRange(of: "⌁"))
    )
    let ends = [sound, control].compactMap { start in
      up[start.lowerBound...].firstRange(of: "▶").map {
        up.distance(from: start.lowerBound, to: $0.lowerBound)
      }
    }
    #expect(ends.count == 2 && Set(ends).count == 1)
  }

  @Test(arguments: [Size.ordinary, .large, Size(columns: 160, rows: 46)])
  func `of an output that has the cursor names its key, and the cursor stays there`(size: Size) {
    var state = Example.state().changed {
      $0.focus = .audio
      $0.audioRow = .output("hdmi")
    }
    #expect(text(state, size: size).contains("Enter Play there"))
    _ = state.reduce(.pressed(.accept), at: Example.now)
    #expect(state.audioRow == .output("hdmi"))
    #expect(text(state, size: size).contains("▸○ HDMI"))
  }

  /// Returns a sound server with `outputs` outputs in addition to the headphone's.
  private func state(outputs: Int, cursor: Int? = nil) -> State {
    Example.state().changed { state in
      var sound = Example.sound()
      let others = (1...outputs).map {
        AudioSink(name: "out\($0)", description: "Output \($0).", volume: 50, activity: .idle)
      }
      sound.sinks = others + sound.sinks.suffix(1)
      state.audio = .running(sound)
      state.focus = .audio
      if let cursor { state.audioRow = .output("out\(cursor)") }
    }
  }

  @Test func `of many outputs scrolls with the cursor, and the frame counts what is below`() {
    let top = text(state(outputs: 25), size: .ordinary)
    #expect(top.contains("● Aurora Pro") && top.contains("○ Output 1."))
    #expect(!top.contains("Output 19."))
    #expect(top.contains("▼ ") && top.contains(" more"))
    let middle = text(state(outputs: 25, cursor: 12), size: .ordinary)
    #expect(middle.contains("▸○ Output 12.") && middle.contains("○ Output 13."))
    let bottom = text(state(outputs: 25, cursor: 25), size: .ordinary)
    #expect(bottom.contains("▸○ Output 25.") && bottom.contains("○ Output 24."))
    // All that fit need no count.
    let few = text(state(outputs: 3), size: .ordinary)
    #expect(few.contains("Output 3.") && !few.contains(" more"))
  }

  @Test(arguments: [Size.ordinary, .large])
  func `without sound says in the panel how to bring it`(size: Size) {
    let broken = Example.state().changed { $0.audio = .running(Example.soundElsewhere()) }
    let unknown = broken.with { $0.publicAddress = nil }
    #expect(text(unknown, size: size).contains("To play here, connect it once"))
    let known = broken.with { $0.publicAddress = "00:11:22:33:44:55" }
    #expect(!text(known, size: size).contains("connect it once"))
    #expect(text(known, size: size).contains("o Play here"))
  }

  @Test func `move only while something plays on the page that shows them`() {
    let plays = Example.state()
    #expect(hasMotion(plays))
    #expect(!hasMotion(plays.changed { $0.page = .info(line: 0) }))
    #expect(!hasMotion(plays.changed { $0.audio = .running(Example.soundElsewhere()) }))
    #expect(!hasMotion(State()))
    var style = Style()
    let frames = (0..<30).map { frame in
      style.frame = frame
      return row(plays, style)
    }
    #expect(Set(frames).count > 1 && frames.allSatisfy { $0.contains("A2DP · LDAC") })
  }
}
