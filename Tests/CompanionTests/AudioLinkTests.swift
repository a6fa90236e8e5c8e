import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

@Suite struct AudioLinkTests {
  private let address = "00:00:00:00:00:01"

  private func scenario(_ sound: Action, ready: Bool = true) -> Scenario {
    var scenario =
      ready
      ? Scenario.withReady() : Scenario.withHeadphone(peripheral(ear, publicAddress: address))
    scenario.given(.discovered(peripheral(ear, publicAddress: address)), sound)
    return scenario
  }

  @Test(arguments: [
    (AudioLinks(), AudioLink.down), (AudioLinks(up: ["00:00:00:00:00:01"]), .up),
    (AudioLinks(up: ["00:00:00:00:00:01"], calls: ["00:00:00:00:00:01"]), .call),
    (AudioLinks(up: ["00:00:00:00:00:02"]), .down),
  ])
  func `the kernel tells by the public address`(links: AudioLinks, link: AudioLink) throws {
    var scenario = scenario(.audio(.unavailable(.noServer)))
    scenario.given(.audioLinks(links))
    #expect(scenario.state.audioLink(of: try #require(scenario.state.headphones.selected)) == link)
  }

  @Test func `without a public address nothing is reported of a link that is not there`() throws {
    var scenario = Scenario.withHeadphone()
    scenario.given(.audioLinks(AudioLinks(up: [address])))
    #expect(scenario.state.audioLink(of: try #require(scenario.state.headphones.selected)) == nil)
  }

  @Test func `a kernel that does not report is not guessed for`() throws {
    let scenario = scenario(.audio(.unavailable(.noServer)))
    #expect(scenario.state.audioLink(of: try #require(scenario.state.headphones.selected)) == nil)
  }

  @Test func `changes are reported once`() {
    var scenario = scenario(.audio(.unavailable(.noServer)))
    let up = AudioLinks(up: [address])
    scenario.send(.audioLinks(AudioLinks())) {
      $0.audioLinks = AudioLinks()
      $0.logs(.debug, ear, "audio link down")
    }
    scenario.send(.audioLinks(up)) {
      $0.audioLinks = up
      $0.logs(.info, ear, "audio link up", sound: .link)
    }
    scenario.send(.audioLinks(up))
    scenario.send(.audioLinks(nil)) { $0.audioLinks = nil }
  }

  @Test func `where the sound server is silent the kernel speaks in the situation`() throws {
    let unknown = Action.audio(.unavailable(.noServer))
    let away = sound(to: "alsa_output.pci", speakers)
    let reported = try [
      (unknown, true, [address]), (unknown, false, [address]), (unknown, true, []),
      (away, true, [address]), (away, false, [address]), (away, true, []),
    ].map { sound, isReady, up in
      var scenario = scenario(sound, ready: isReady)
      scenario.given(.audioLinks(AudioLinks(up: Set(up))))
      let headphone = try #require(scenario.state.headphones.selected)
      return scenario.state.situation(of: headphone).text
    }
    #expect(
      reported == [
        "controls work; audio link up, unknown to the sound server",
        "controls not connected; audio link up, unknown to the sound server",
        "controls work; audio link down, unknown to the sound server",
        "controls work; audio link up, the sound server has no device for it",
        "controls not connected; audio link up, the sound server has no device "
          + "for it",
        "controls work, but audio isn't connected",
      ])
  }
}
