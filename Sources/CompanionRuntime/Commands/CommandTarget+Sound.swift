internal import AudioRoute
internal import Companion
internal import HeadphoneProtocols
public import JSON

/// What `earshot audio route` and `earshot audio profile` do, by the sound server that a screen shows.
extension CommandTarget {
  /// Sends the sound of this machine to an output, and moves what plays.
  ///
  /// - Parameter selector: a beginning of its address or name.
  /// - Returns: the output's name.
  /// - Throws: `unavailable` without a sound server or such an output.
  public func routeSound(to selector: String) async throws(CommandError) -> String {
    let device = try await sound().device(meantBy: selector)
    guard let sink = device.sink else {
      throw .unavailable(
        "\(displayable(device.description)) has no output now: its profile is off")
    }
    try await order(.route(sink: sink.name))
    return displayable(device.description)
  }

  /// How the sound of a headphone is carried, and how else it could be.
  ///
  /// - Parameters:
  ///   - selector: a beginning of its identity, address or name; nil: the one used last.
  ///   - wanted: what is to be in force: "music", "calls", "off", or a beginning of the server's name
  ///     for a profile or codec; nil: as it is.
  /// - Throws: `unavailable` without a sound server, a sound link or such a profile.
  public func soundModes(
    of selector: String?, switchingTo wanted: String?
  ) async throws(CommandError) -> SoundModesReport {
    _ = try await sound()
    let known = state.headphones
    let meant =
      selector.map { selector in known.filter { $0.matches(selector) } }
      ?? [known.selected ?? known.lastUsed].compactMap(\.self)
    guard let headphone = meant.first else { throw .notKnown(selector: selector) }
    guard meant.count == 1 else { throw .ambiguous(meant.map(\.name)) }
    guard let card = state.audioMatch(for: headphone)?.card else {
      throw .unavailable(
        "the sound of \(displayable(headphone.name)) is not connected\n"
          + "connect it: earshot audio connect")
    }
    var modes = card.modes
    if let wanted {
      let chosen = card.modes(matching: wanted)
      guard let mode = chosen.first else {
        throw .unavailable(
          "no profile \"\(displayable(wanted))\"; `earshot audio profile` lists them")
      }
      guard chosen.count == 1 else {
        let names = chosen.map { displayable($0.name) }.joined(separator: ", ")
        throw .unavailable("several profiles are meant: \(names)")
      }
      if !mode.isActive { try await order(mode.command(on: card)) }
      for index in modes.indices { modes[index].isActive = modes[index].name == mode.name }
    }
    return SoundModesReport(headphone: headphone.name, modes: modes)
  }

  private func sound() async throws(CommandError) -> AudioSnapshot {
    await observeAudio()
    switch state.audio {
    case .running(let sound): return sound
    case .unavailable(let reason): throw .unavailable(reason.displayText)
    }
  }

  private func order(_ command: AudioCommand) async throws(CommandError) {
    do throws(AudioError) {
      try await effects.audio.perform(command)
    } catch {
      throw .unavailable(error.displayText)
    }
  }
}

/// The profiles and codecs of a headphone's sound: `earshot audio profile`.
public struct SoundModesReport: Report, Hashable {
  private let headphone: String
  private let modes: [SoundMode]

  init(headphone: String, modes: [SoundMode]) {
    self.headphone = headphone
    self.modes = modes
  }

  public var text: String {
    modes.map { mode in
      "\(mode.isActive ? "*" : " ") \(displayable(mode.name))  \(mode.displayText)"
    }.joined(separator: "\n")
  }

  public var json: JSON {
    [
      "schema": 1, "headphone": .string(headphone),
      "profiles": .array(
        modes.map { mode in
          [
            "name": .string(mode.name), "text": .string(mode.displayText),
            "active": .bool(mode.isActive),
          ]
        }),
    ]
  }
}

extension AudioSnapshot {
  /// The device that a person means by a beginning of its address or name.
  func device(meantBy selector: String) throws(CommandError) -> SoundDevice {
    let exact = devices.filter { $0.id.text == selector }
    let meant = exact.isEmpty ? devices.filter { $0.matches(selector) } : exact
    guard let device = meant.first else {
      throw .unavailable("no sound device \"\(displayable(selector))\"; earshot audio lists them")
    }
    guard meant.count == 1 else {
      let names = meant.map { displayable($0.id.text) }.joined(separator: ", ")
      throw .unavailable("several sound devices are meant: \(names)")
    }
    return device
  }
}
