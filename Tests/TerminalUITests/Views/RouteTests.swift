import AudioRoute
import Companion
import Testing

@testable import TerminalUI

@Suite struct `The route of the sound` {
  private func row(_ state: State, _ style: Style = Style()) -> String {
    view(state, size: .ordinary, style: style).text(row: 4)
  }

  @Test func `is told apart without colour`() {
    let plays = Example.state()
    let rests = plays.changed { state in
      guard case .running(var sound) = state.audio else { return }
      sound.sinks[2].activity = .suspended
      state.audio = .running(sound)
    }
    let elsewhere = plays.changed { $0.audio = .running(Example.sound(to: "hdmi")) }
    let broken = plays.changed { $0.audio = .running(Example.soundElsewhere()) }
    #expect(row(plays).contains("━▶ Aurora Pro"))
    #expect(row(rests).contains("─▶ Aurora Pro"))
    #expect(row(elsewhere).contains("━▶ HDMI / Dis"))
    #expect(row(broken).contains("╌✕╌") && row(broken).contains("Aurora Pro"))
    for style in [Style(symbols: .ascii), Style(symbols: .console)] {
      #expect(row(plays, style).contains("=> Aurora Pro"))
      #expect(row(rests, style).contains("-> Aurora Pro"))
      #expect(row(broken, style).contains("-x-"))
    }
  }

  @Test func `moves only while something plays on the page that shows it`() {
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
    #expect(Set(frames).count > 5 && frames.allSatisfy { $0.contains("●━") || $0.contains("●▶") })
  }
}
