import AudioRoute
import BluetoothRadio
import HeadphoneProtocols
import TestSupport
import Testing

@testable import Companion

/// The sound of a headphone whose wearer speaks.
@Suite struct SpeechTests {
  private static let name = "bluez_output.ear"

  private func playing(at volume: Int, isMuted: Bool = false) -> Action {
    var sink = bluetoothSink()
    (sink.volume, sink.isMuted) = (volume, isMuted)
    return sound(to: Self.name, sink, speakers)
  }

  private func says(_ speech: Speech) -> Action { .headphone(ear, .speechChanged(speech)) }

  private func volume(_ percent: Int) -> Effect {
    .audio(.setVolume(sink: Self.name, percent: percent))
  }

  private func timer(_ seconds: Int64) -> Effect {
    .startTimer(.speech(ear), .exactly(.seconds(seconds)))
  }

  private let over = Effect.cancelTimer(.speech(ear))

  /// What each action does to volume and timer.
  private func effects(_ volume: Int, _ actions: Action...) -> [[Effect]] {
    var scenario = Scenario.withReady()
    scenario.given(playing(at: volume))
    return actions.map { action in
      scenario.effects(of: action).filter { effect in
        switch effect {
        case .audio, .startTimer(.speech, _), .cancelTimer(.speech): true
        default: false
        }
      }
    }
  }

  @Test func `music is at a third while the wearer speaks, and then what it was`() {
    let done = effects(
      60, says(.began), playing(at: 20), says(.began), says(.paused), says(.began), says(.ended),
      says(.ended))
    #expect(
      done == [
        [timer(300), volume(20)], [], [timer(300)], [timer(6)], [timer(300)], [over, volume(60)],
        [],
      ])
  }

  @Test func `an end before the sound server has reported the lowered volume counts`() {
    #expect(effects(60, says(.began), says(.ended)).last == [over, volume(60)])
  }

  @Test
  func
    `speech that begins again before the server has reported the raised volume lowers it no further`()
  {
    let done = effects(90, says(.began), playing(at: 30), says(.ended), says(.began), says(.ended))
    #expect(done[3] == [timer(300), volume(30)] && done.last == [over, volume(90)])
  }

  /// However often it begins and ends, and whenever the sound server reports.
  @Test func `speech never leaves another volume than it found`() {
    var random = SeededGenerator(seed: 49)
    for _ in 0..<Thoroughness.rounds(300, thorough: 30_000) {
      var scenario = Scenario.withReady()
      let start = 10 + random.below(90)
      scenario.given(playing(at: start))
      // What the server was told and has yet to report, in this order, and what it has reported.
      var (reports, reported) = ([Int](), start)
      func take(_ effects: [Effect]) {
        for case .audio(.setVolume(_, let percent)) in effects { reports.append(percent) }
      }
      for _ in 0..<30 {
        switch random.below(3) {
        case 0: take(scenario.effects(of: says(.began)))
        case 1: take(scenario.effects(of: says(.ended)))
        default:
          guard !reports.isEmpty else { continue }
          reported = reports.removeFirst()
          scenario.given(playing(at: reported))
        }
      }
      take(scenario.effects(of: says(.ended)))
      #expect(reports.last ?? reported == start)
    }
  }

  @Test func `a volume that somebody has changed meanwhile stays`() {
    #expect(effects(60, says(.began), playing(at: 35), says(.ended)).last == [over])
  }

  @Test func `a conversation whose end is not reported ends all the same`() {
    let done = effects(60, says(.began), playing(at: 20), says(.paused), .timerFired(.speech(ear)))
    #expect(done.last == [over, volume(60)])
  }

  @Test func `a link that ends, and the end of the program, raise it again`() {
    #expect(
      effects(60, says(.began), playing(at: 20), .link(ear, .ended(.timeout))).last
        == [over, volume(60)])
    #expect(effects(60, says(.began), playing(at: 20), .pressed(.quit)).last == [volume(60)])
  }

  @Test func `sound that goes elsewhere, is muted or almost silent is left alone`() {
    #expect(effects(2, says(.began)) == [[timer(300)]])
    var scenario = Scenario.withReady()
    scenario.given(playing(at: 60, isMuted: true))
    #expect(!scenario.effects(of: says(.began)).contains(volume(20)))
    scenario = Scenario.withReady()
    scenario.given(sound(to: speakers.name, bluetoothSink(), speakers))
    #expect(!scenario.effects(of: says(.began)).contains(volume(20)))
    #expect(scenario.effects(of: says(.paused)).contains(timer(6)))
  }

  @Test func `a pause without a beginning starts nothing`() {
    #expect(effects(60, says(.paused), says(.ended)) == [[], []])
  }
}
