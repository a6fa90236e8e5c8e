import AudioRoute
package import BluetoothRadio
import Desktop
import HeadphoneProtocols

package enum ButtonMode: String, Hashable, Sendable, CaseIterable {
  /// Only in a session without a desktop that handles them.
  case auto
  case on
  case off

  package func isOn(besideDesktop hasDesktop: Bool) -> Bool {
    self == .on || self == .auto && !hasDesktop
  }
}

package enum KeyHandler: Hashable, Sendable {
  case unknown
  case none
  case desktop(String)
}

/// The buttons of headphones, which reach a media player through bluetoothd (AVRCP).
package struct HeadphoneButtons: Hashable, Sendable {
  package internal(set) var handler = KeyHandler.unknown
  package internal(set) var registration = PlayerRegistration.none
  var offer = PlayerOffer.withdrawn
  var isPlayHeld = false
}

extension State {
  /// The time that the sound server gets to create the sink of a headphone that has just connected.
  private static let sinkTime: Duration = .seconds(5)

  /// Passes a button press to the player that plays, or else to the one that played last.
  ///
  /// The command is never a toggle: a headphone decides between play and pause by a status that may
  /// be stale. Some headphones press play as soon as they are connected; play then waits for their
  /// sink, so that music does not start on the loudspeakers.
  mutating func press(_ key: PlayerKey, at timestamp: Timestamp) -> [Effect] {
    var effects = releasePlay()
    if key == .pause || key == .stop { effects += forgetWearPause() }
    guard let nowPlaying, nowPlaying.canControl else { return effects }
    let name = displayable(nowPlaying.player.shortName)
    if key == .play, !nowPlaying.isPlaying, isSinkAwaited {
      buttons.isPlayHeld = true
      return effects + [.startTimer(.heldPlay, .exactly(Self.sinkTime))]
        + note(.info, nil, "play pressed on a headphone: waiting for its sound", at: timestamp)
    }
    guard let command = nowPlaying.command(for: key) else { return effects }
    return effects + [.pressPlayer(command, nowPlaying.player)]
      + note(
        .debug, nil, "\(key.rawValue.lowercased()) pressed on a headphone: \(name)", at: timestamp)
  }

  private var isSinkAwaited: Bool {
    guard case .running(let sound) = audio else { return false }
    return !sound.sinks.contains { $0.bluetooth != nil }
  }

  mutating func playHeld() -> [Effect] {
    guard buttons.isPlayHeld, !isSinkAwaited else { return [] }
    let effects = releasePlay()
    // Without a sound server, the output is unknown.
    guard case .running = audio, let nowPlaying, !nowPlaying.isPlaying else { return effects }
    return effects + [.pressPlayer(.play, nowPlaying.player)]
  }

  /// Drops a pending play, which would be heard on loudspeakers without the headphone's sink.
  mutating func giveUpPlay(at timestamp: Timestamp) -> [Effect] {
    guard buttons.isPlayHeld else { return [] }
    buttons.isPlayHeld = false
    return note(
      .notice, nil, "play pressed on a headphone: dropped, its sound did not connect", at: timestamp
    )
  }

  private mutating func releasePlay() -> [Effect] {
    guard buttons.isPlayHeld else { return [] }
    buttons.isPlayHeld = false
    return [.cancelTimer(.heldPlay)]
  }

  mutating func offerPlayer() -> [Effect] {
    let player = nowPlaying.flatMap { $0.canControl ? SharedPlayer($0) : nil }
    let offer = handlesButtons ? PlayerOffer.offered(player) : .withdrawn
    guard offer != buttons.offer else { return [] }
    buttons.offer = offer
    return [.offerPlayer(offer)]
  }

  private var handlesButtons: Bool {
    preferences.buttons.isOn(besideDesktop: buttons.handler != .none)
  }

  mutating func adopt(_ handler: KeyHandler) -> [Effect] {
    buttons.handler = handler
    return []
  }

  mutating func adopt(_ registration: PlayerRegistration, at timestamp: Timestamp) -> [Effect] {
    buttons.registration = registration
    guard case .refused(let words) = registration else { return [] }
    return note(
      .warning, nil, "buttons: bluetoothd refused the media player: \(displayable(words))",
      at: timestamp)
  }

  /// What the buttons control; nil if unknown or if the headphones are virtual.
  package var buttonsText: String? {
    if case .ready(let adapter) = adapter, adapter.isVirtual { return nil }
    return switch (buttons.registration, buttons.handler) {
    case (.registered, _):
      if let nowPlaying, nowPlaying.canControl {
        "control \(displayable(nowPlaying.player.shortName))"
      } else {
        "no media player to control"
      }
    case (.refused(let words), _): "bluetoothd refused: \(displayable(words))"
    case (.none, _) where handlesButtons: "bluetoothd has no adapter, or is not running"
    case (.none, .desktop(let name)): "handled by the desktop (\(name))"
    case (.none, .none): "left to other programs (off in the configuration)"
    case (.none, .unknown): nil
    }
  }
}

extension NowPlaying {
  /// Returns the command for `key`, or nil for play while playing.
  ///
  /// Pause and stop have no effect if nothing plays (MPRIS 2.2), so they are always sent: the
  /// status may be stale. A player that cannot pause is stopped.
  fileprivate func command(for key: PlayerKey) -> PlayerCommand? {
    switch key {
    case .play: isPlaying ? nil : .play
    case .pause: canPause ? .pause : .stop
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    }
  }
}

extension SharedPlayer {
  fileprivate init(_ playing: NowPlaying) {
    let status: Status =
      switch playing.status {
      case .playing: .playing
      case .paused: .paused
      case .stopped: .stopped
      }
    self.init(
      status, title: playing.title.map(displayable), artists: playing.artists.map(displayable),
      album: playing.album.map(displayable), length: playing.length)
  }
}
