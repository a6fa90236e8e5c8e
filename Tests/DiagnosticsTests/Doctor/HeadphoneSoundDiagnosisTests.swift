import AudioRoute
import Companion
import TestSupport
import Testing

@testable import Diagnostics

/// The doctor's word on headphones whose sound is connected.
@Suite struct HeadphoneSoundDiagnosisTests {
  private func result(
    of server: VirtualSoundServer, linked: [LinkedSound] = []
  ) -> DiagnosticResult? {
    SystemFacts.healthy.but {
      $0.sound = .running(server.snapshot)
      $0.linkedSound = linked
    }.result(.headphoneSound)
  }

  @Test(arguments: SoundScene.all.filter { !$0.server.snapshot.cards.isEmpty })
  func `the state is named, and what helps wherever no music is heard`(scene: SoundScene) {
    let sound = scene.server.snapshot
    let result = result(of: scene.server)
    #expect(result?.what.contains(SoundScene.name) == true)
    let isSuspended = sound.route?.bluetooth != nil && sound.route?.activity == .suspended
    // A sink that a program suspended looks like one on which nothing plays.
    let isHeard = SoundScene.isHeard(in: sound, at: nil) || isSuspended && !scene.isMuted
    let isDefect = sound.conditions.contains { [.off, .callQuality].contains($0.condition) }
    #expect(result?.state == (isDefect ? .warning : .ok))
    #expect((result?.fix == nil) == (isHeard && !isDefect), "\(String(describing: result))")
    if let remedy = result?.remedy { #expect(SoundScene.namesHelp(remedy), "\(remedy)") }
  }

  @Test(arguments: [
    (
      VirtualSoundServer.Manner.pipeWire,
      "systemctl --user restart pipewire pipewire-pulse wireplumber"
    ),
    (.pulseAudio, "pactl load-module module-bluetooth-discover"),
  ])
  func `a headphone that the sound server does not have is named, with the server's remedy`(
    manner: VirtualSoundServer.Manner, remedy: String
  ) {
    let linked = LinkedSound(name: SoundScene.name, address: SoundScene.address)
    let absent = result(of: VirtualSoundServer(like: manner), linked: [linked])
    #expect(absent?.state == .warning)
    #expect(absent?.what == "Ear (a): the sound server has no device for it")
    #expect(absent?.remedy == remedy)
    var server = VirtualSoundServer(like: manner)
    server.connect(name: SoundScene.name, address: SoundScene.address)
    #expect(result(of: server, linked: [linked])?.what == "Ear (a): music goes there")
  }

  @Test func `without a connected headphone, or a sound server, nothing is amiss`() {
    #expect(result(of: VirtualSoundServer())?.what == "no headphone's sound is connected")
    let unknown = SystemFacts.healthy.but { $0.sound = .unavailable(.noServer) }
    #expect(unknown.result(.headphoneSound)?.state == .unknown)
  }
}

extension SoundScene {
  fileprivate var isMuted: Bool {
    server.snapshot.route.map {
      $0.isMuted || $0.volume == 0 || $0.bluetooth?.profile == .handsFree
    }
      == true
  }
}
