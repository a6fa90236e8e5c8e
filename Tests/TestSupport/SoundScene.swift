package import AudioRoute

/// A state of a headphone's sound, and the effect of connecting it through bluetoothd.
package struct SoundScene: Sendable, CustomStringConvertible {
  package static let name = "Ear (a)"
  package static let address = "F0:F1:F2:F3:F4:F5"
  /// The address of another headphone.
  package static let otherAddress = "00:00:5E:00:53:09"

  package var description: String
  package var server: VirtualSoundServer
  /// The address that Earshot knows of the headphone's sound, or nil if none.
  package var knownAddress: String? = SoundScene.address
  /// The sound device that the user chose, or nil if none.
  package var pin: String?
  /// Whether the key alone must bring music, or else the key that is named.
  package var isCurable = true
  /// The sound server's state once bluetoothd has connected the sound.
  package var connect: @Sendable (inout VirtualSoundServer) -> Void = { server in
    server.connect(name: SoundScene.name, address: SoundScene.address)
  }

  /// Every state of card and profiles with both servers; with a sink, also playing elsewhere,
  /// muted, at 0 %, and suspended by a program.
  package static var all: [SoundScene] {
    VirtualSoundServer.Manner.allCases.filter { $0 != .virtual }.flatMap { manner in
      states(like: manner).flatMap { [$0] + $0.variations }
    }
  }

  /// Returns whether music is heard on the headphone, or on any if `address` is nil.
  package static func isHeard(in sound: AudioSnapshot, at address: String? = SoundScene.address)
    -> Bool
  {
    guard let sink = sound.route, let own = sink.bluetooth, address == nil || own.address == address
    else { return false }
    return own.profile != .handsFree && !sink.isMuted && sink.volume > 0
      && sink.activity != .suspended
  }

  /// Returns whether words name a command or setting that helps.
  package static func namesHelp(_ words: String) -> Bool {
    ["earshot ", "systemctl ", "pactl "].contains(where: words.contains)
  }

  private static func states(like manner: VirtualSoundServer.Manner) -> [SoundScene] {
    func scene(_ title: String, _ change: (inout SoundScene) -> Void) -> SoundScene {
      var scene = SoundScene(
        description: "\(manner): \(title)", server: VirtualSoundServer(like: manner))
      change(&scene)
      return scene
    }
    let both: [AudioProfile] = [.a2dp, .handsFree]
    return [
      scene("no card") { _ in },
      scene("no card, music alone comes") { $0.bring([.a2dp]) },
      scene("no card, calls alone come") {
        $0.bring([.handsFree])
        $0.isCurable = false
      },
      scene("no card, and none comes") { $0.bringNothing() },
      scene("music and calls") { $0.have(both) },
      scene("music alone") { $0.have([.a2dp]) },
      scene("the card is off") { $0.have(both, chosen: .some(nil)) },
      scene("calls alone, music comes") {
        $0.have([.handsFree])
        $0.connect = { $0.makeAvailable(.a2dp, address: SoundScene.address) }
      },
      scene("calls alone") {
        $0.have([.handsFree])
        $0.bringNothing()
      },
      scene("calls chosen") { $0.have(both, chosen: .handsFree) },
      scene("a call") {
        $0.have(both, chosen: .handsFree)
        $0.server.record("Zoom", address: address)
        $0.isCurable = false
      },
      scene("LE Audio, off") { $0.have([.leAudio], chosen: .some(nil)) },
      scene("two headphones") {
        $0.have(both)
        $0.server.connect(name: "Other", address: otherAddress)
      },
      scene("its name alone") {
        $0.have(both, chosen: .some(nil))
        $0.knownAddress = nil
      },
      scene("its name twice") {
        $0.have(both)
        $0.server.connect(name: name, address: otherAddress)
        $0.knownAddress = nil
        $0.isCurable = false
      },
      scene("nothing known") {
        $0.knownAddress = nil
        $0.isCurable = false
      },
      scene("the chosen output is gone") {
        $0.have(both)
        $0.pin = "alsa_output.usb"
        $0.isCurable = false
      },
      scene("the chosen headphone is away") {
        $0.pin = address
        $0.knownAddress = nil
      },
      scene("another headphone is chosen, and away") {
        $0.pin = otherAddress
        $0.isCurable = false
      },
    ]
  }

  /// Connects these profiles, and then switches the card to one of them or off.
  private mutating func have(_ profiles: [AudioProfile], chosen: AudioProfile?? = nil) {
    server.connect(name: Self.name, address: Self.address, profiles: profiles)
    if let chosen { server.choose(chosen, address: Self.address) }
  }

  /// Makes bluetoothd connect these profiles.
  private mutating func bring(_ profiles: [AudioProfile]) {
    connect = { server in
      server.connect(name: SoundScene.name, address: SoundScene.address, profiles: profiles)
    }
  }

  private mutating func bringNothing() {
    connect = { _ in }
    isCurable = false
  }

  private var variations: [SoundScene] {
    guard let sink = server.snapshot.sinks.first(where: { $0.bluetooth?.address == Self.address })
    else { return [] }
    let changes: [(String, [AudioCommand])] = [
      ("elsewhere", [.route(sink: "virtual_speakers")]),
      ("muted", [.setMute(sink: sink.name, isMuted: true)]),
      (
        "muted elsewhere",
        [.setMute(sink: sink.name, isMuted: true), .route(sink: "virtual_speakers")]
      ),
      ("at 0 %", [.setVolume(sink: sink.name, percent: 0)]),
      ("suspended", [.setSuspended(sink: sink.name, isSuspended: true)]),
      (
        "suspended elsewhere",
        [.setSuspended(sink: sink.name, isSuspended: true), .route(sink: "virtual_speakers")]
      ),
    ]
    return changes.map { title, commands in
      var varied = self
      varied.description += ", \(title)"
      for command in commands { try? varied.server.perform(command) }
      return varied
    }
  }
}

extension VirtualSoundServer {
  /// Switches the card to its profile of a kind, or off if nil.
  fileprivate mutating func choose(_ kind: AudioProfile?, address: String) {
    guard let card = snapshot.cards.first(where: { $0.address == address }),
      let profile = card.profiles.first(where: { $0.kind == kind })
    else { return }
    try? perform(.setProfile(card: card.name, profile: profile.name))
  }
}
