internal import AudioRoute
internal import BluetoothCodec
internal import BluetoothRadio
package import Companion
internal import HeadphoneProtocols
package import JSON

extension CommandTarget {
  /// Connects the audio of a headphone, known or in range, as the output, and returns its name.
  package func connectAudio(_ selector: String?) async throws(CommandError) -> String {
    // A headphone without a known address may have a sound device by its name.
    await observeAudio()
    let found = try await withAudio(selector)
    _ = try sound()
    let problem = state.problem
    var address: BluetoothAddress?
    var commands: [AudioCommand] = []
    let refusal = ask(.routeSound) { effect in
      switch effect {
      case .connectSound(_, let wanted): address = BluetoothAddress(wanted)
      case .audio(let command): commands.append(command)
      default: return false
      }
      return true
    }
    if let address {
      do throws(AudioLinkError) {
        try await effects.connectSound(found.id, address) { [store] in store.send($0) }
      } catch {
        // The sound server may have ended meanwhile.
        _ = try sound()
        throw .audioLink(error)
      }
    }
    for command in commands {
      do throws(CommandError) {
        try await perform(command)
      } catch {
        try await requireAdapterSoon()
        throw error
      }
    }
    // The reducer's timers end this wait.
    for await state in store.follow() {
      guard state.headphones[found.id]?.isSoundWanted == true else { break }
    }
    let routed = await first(within: .seconds(2)) { state in
      guard let headphone = state.headphones[found.id] else { return true }
      if state.playsMusic(headphone) { return true }
      return state.problem != problem || address == nil && commands.isEmpty
    }
    if let headphone, state.playsMusic(headphone) { return headphone.name }
    if address != nil, let error = effects.soundFailures[found.id] { throw .audioLink(error) }
    if routed != nil, address == nil, commands.isEmpty, let refusal { throw .unavailable(refusal) }
    if state.problem != problem, let problem = state.problem {
      throw .unavailable("\(displayable(problem.text))\n\(displayable(problem.advice))")
    }
    throw .unavailable(
      "the sound link is up, but the sound server has no device for it in time\n"
        + "`earshot audio` lists those that it has")
  }

  /// What still keeps music from being heard on the headphone, with the command that helps, or nil.
  package var soundHint: String? {
    guard let headphone, let condition = state.soundCondition(of: headphone) else { return nil }
    let name = displayable(headphone.name)
    return condition.advice(for: name).map { advice in
      "\(name): \(displayable(condition.displayText))\n\(advice)"
    }
  }

  /// Disconnects the audio of a headphone, not its control link, and returns the headphone's name.
  package func disconnectAudio(_ selector: String?) async throws(CommandError) -> String {
    let found = try await withAudio(selector)
    guard let address = found.soundAddress.flatMap(BluetoothAddress.init(_:)) else {
      throw withoutAudio(found)
    }
    do throws(AudioLinkError) {
      try await effects.dependencies.radio.disconnectAudio(
        address, isControlled: state.headphones.contains(where: \.link.isConnected))
    } catch {
      throw .audioLink(error)
    }
    store.send(.soundLink(found.id, .disconnected))
    return headphone?.name ?? ""
  }

  private func withAudio(_ selector: String?) async throws(CommandError) -> HeadphoneState {
    do throws(CommandError) {
      return try await choose(selector, for: .audio)
    } catch {
      guard case .notFound = error else { throw error }
      let meant = selector.map(state.headphones.named) ?? state.headphones.lastUsed.map { [$0] }
      guard let headphone = meant?.first else { throw error }
      throw withoutAudio(headphone)
    }
  }

  private func withoutAudio(_ headphone: HeadphoneState) -> CommandError {
    let condition = state.soundCondition(of: headphone)
    if let condition, condition.remedy == nil,
      let advice = condition.advice(for: displayable(headphone.name))
    {
      return .unavailable("\(displayable(condition.displayText))\n\(advice)")
    }
    return .unavailable(
      "the address of its audio side is not known\npair it first: earshot pair NAME")
  }

  package func soundDevices() async -> SoundDevicesReport {
    await observeAudio()
    return SoundDevicesReport(state)
  }

  /// Assigns a sound device to a headphone, for this and later runs.
  ///
  /// - Parameters:
  ///   - device: The beginning of the device's address or name, or nil to match automatically
  ///     again. A whole address may be of a device that is not connected.
  ///   - selector: The beginning of a headphone's identity, address or name, or nil for the
  ///     selected one, else the last one used.
  package func pin(
    _ device: String?, as selector: String?
  ) async throws(CommandError) -> SoundPinReport {
    var pinned: SoundDevice.ID?
    if let device { pinned = try await soundDevice(named: device) }
    try chooseKnown(selector)
    guard let headphone else { throw .notKnown(selector: selector) }
    store.send(.soundPinned(headphone.id, pinned))
    await effects.saved()
    if let error = effects.listFailure { throw .file(error) }
    return SoundPinReport(headphone: headphone.name, pin: pinned?.text)
  }

  private func soundDevice(named selector: String) async throws(CommandError) -> SoundDevice.ID {
    if let address = BluetoothAddress(selector) { return SoundDevice.ID(address.description) }
    await observeAudio()
    if case .unavailable(let reason) = state.audio {
      throw .unavailable(
        "\(reason.displayText): without a sound server only a whole Bluetooth address can be pinned"
      )
    }
    return try sound().device(meantBy: selector).id
  }

  /// Routes the sound of this machine to an output, and moves the current streams.
  ///
  /// - Parameter selector: The beginning of the output's address or name.
  ///
  /// - Returns: The output's name, once the server has acknowledged the change.
  package func routeSound(to selector: String) async throws(CommandError) -> String {
    let device = try await observedSound().device(meantBy: selector)
    guard let sink = device.sink else {
      throw .unavailable(
        "\(displayable(device.description)) has no output now: its profile is off")
    }
    // A correction before the output stays there.
    if state.output?.name != sink.name || !state.correctionSinks.isInUse {
      try await perform(.route(sink: sink.name))
    }
    store.send(.soundRouted)
    return displayable(device.description)
  }

  /// Returns the profiles and codecs of a headphone's sound, after switching to one if requested.
  ///
  /// - Parameters:
  ///   - selector: The beginning of its identity, address or name, or nil for the last one used.
  ///   - wanted: "music", "calls", "off", or a beginning of the server's name for a profile or
  ///     codec, or nil to change nothing.
  package func soundModes(
    of selector: String?, switchingTo wanted: String?
  ) async throws(CommandError) -> SoundModesReport {
    _ = try await observedSound()
    try chooseKnown(selector)
    guard let headphone else { throw .notKnown(selector: selector) }
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
          "no profile \"\(displayable(wanted))\"\n`earshot audio profile` lists them")
      }
      guard chosen.count == 1 else {
        let names = chosen.map { displayable($0.name) }.joined(separator: ", ")
        throw .unavailable("several profiles match: \(names)\ngive more of its name")
      }
      if !mode.isActive {
        try await perform(mode.command(on: card))
        store.send(.soundModeChosen(headphone.id, mode))
        await effects.saved()
      }
      for index in modes.indices { modes[index].isActive = modes[index].name == mode.name }
    }
    return SoundModesReport(headphone: headphone.name, modes: modes)
  }

  /// Returns the microphones of this machine, after choosing one for all programs if requested.
  ///
  /// A headphone whose microphone is not the chosen one plays in music quality again.
  ///
  /// - Parameter selector: The beginning of its name, or nil to change nothing.
  package func microphones(
    choosing selector: String?
  ) async throws(CommandError) -> MicrophonesReport {
    var sound = try await observedSound()
    if let selector {
      let wanted = selector.lowercased()
      let meant = sound.sources.filter { source in
        !wanted.isEmpty
          && [source.name, source.description, source.address ?? ""].contains {
            $0.lowercased().hasPrefix(wanted)
          }
      }
      guard let source = meant.first(where: { $0.name == selector }) ?? meant.first else {
        throw .unavailable(
          "no microphone \"\(displayable(selector))\"\n`earshot audio microphone` lists them")
      }
      guard meant.count == 1 || source.name == selector else {
        let names = meant.map { displayable($0.name) }.joined(separator: ", ")
        throw .unavailable("several microphones match: \(names)\ngive more of its name")
      }
      for command in sound.commands(toRecordFrom: source) { try await perform(command) }
      sound.record(from: source)
    }
    return MicrophonesReport(sound, headphones: Array(state.headphones), in: state)
  }

  /// Sets the sound server's offset of a headphone whose sound is connected.
  package func setOffset(_ milliseconds: Int, of selector: String?) async throws(CommandError) {
    await observeAudio()
    try chooseKnown(selector)
    guard let card = headphone.flatMap({ state.audioMatch(for: $0)?.card }),
      let output = card.output
    else { return }
    try await perform(.setOffset(card: card.name, port: output.port, milliseconds: milliseconds))
  }

  /// Returns the sound server's state, waiting for the first one.
  private func observedSound() async throws(CommandError) -> AudioSnapshot {
    await observeAudio()
    return try sound()
  }

  func sound() throws(CommandError) -> AudioSnapshot {
    switch state.audio {
    case .running(let sound): return sound
    // No state arrived within the time limit.
    case .unavailable(.notStarted):
      throw .unavailable(AudioUnavailable.unresponsive.messageAndAdvice)
    case .unavailable(let reason): throw .unavailable(reason.messageAndAdvice)
    }
  }

  func perform(_ command: AudioCommand) async throws(CommandError) {
    do throws(AudioError) {
      try await effects.audio.perform(command)
    } catch {
      throw .unavailable(error.messageAndAdvice)
    }
  }
}

package struct SoundPinReport: ObjectReport, Hashable {
  var headphone: String
  var pin: String?

  package var text: String {
    let name = displayable(headphone)
    return pin.map { "\(name) is the sound device \(displayable($0))" }
      ?? "\(name): sound device matched automatically again"
  }

  package static let schemaName = SchemaName(
    "audio-pin", "`earshot audio pin --json` and `earshot audio unpin --json`")

  package static let properties: [Property<Self>] = [
    Property("headphone", \.headphone),
    Property("pin", \.pin, "the device's identity; null: after `unpin`"),
  ]
}

/// The report of `earshot audio profile`.
package struct SoundModesReport: ObjectReport, Hashable {
  private let headphone: String
  private let modes: [SoundMode]

  init(headphone: String, modes: [SoundMode]) {
    self.headphone = headphone
    self.modes = modes
  }

  package var text: String {
    modes.map { mode in
      "\(mode.isActive ? "*" : " ") \(displayable(mode.name))  \(mode.displayText)"
    }.joined(separator: "\n")
  }

  package func text(_ style: TextStyle) -> String {
    guard style != .plain else { return text }
    return style.table(
      ["", "profile", "means"],
      modes.map { [$0.isActive ? "*" : "", displayable($0.name), $0.displayText] })
  }

  package static let schemaName = SchemaName("audio-profile", "`earshot audio profile --json`")

  package static let properties: [Property<Self>] = [
    Property("headphone", \.headphone),
    Property("profiles", \.modes),
  ]
}

extension SoundMode: JSONObject {
  package static let properties: [Property<Self>] = [
    Property("name", \.name, "the server's"),
    Property("text", \.displayText),
    Property("active", \.isActive),
  ]
}

package struct MicrophonesReport: ObjectReport, Hashable {
  private struct Entry: JSONObject, Hashable {
    var source: AudioSource
    var isDefault: Bool
    var headphone: String?

    static let properties: [Property<Self>] = [
      Property("id", \.source.name),
      Property("name", \.source.description),
      Property("default", \.isDefault),
      Property("bluetooth", \.source.isBluetooth),
      Property("headphone", \.headphone, "null: it belongs to none"),
      Property("openedBy", \.source.programs, "programs, in their own words"),
    ]
  }

  private let entries: [Entry]

  init(_ sound: AudioSnapshot, headphones: [HeadphoneState], in state: State) {
    entries = sound.sources.map { source in
      let headphone = headphones.first { headphone in
        state.audioMatch(for: headphone)?.card.map { source.isPart(of: $0) } == true
      }
      return Entry(
        source: source, isDefault: source.name == sound.defaultSource, headphone: headphone?.name)
    }
  }

  package var text: String {
    guard !entries.isEmpty else { return "this machine has no microphone" }
    return entries.map { entry in
      var line = "\(entry.isDefault ? "*" : " ") \(displayable(entry.source.name))  "
      line += displayable(entry.source.description)
      if let headphone = entry.headphone { line += "  = \(displayable(headphone))" }
      guard !entry.source.programs.isEmpty else { return line }
      return line + displayable(", opened by " + entry.source.programs.joined(separator: ", "))
    }.joined(separator: "\n")
  }

  package func text(_ style: TextStyle) -> String {
    guard style != .plain, !entries.isEmpty else { return text }
    return style.table(
      ["", "id", "name", "headphone", "opened by"],
      entries.map { entry in
        [
          entry.isDefault ? "*" : "", displayable(entry.source.name),
          displayable(entry.source.description), displayable(entry.headphone ?? ""),
          displayable(entry.source.programs.joined(separator: ", ")),
        ]
      }, omitsEmpty: true)
  }

  package static let schemaName = SchemaName(
    "audio-microphone", "`earshot audio microphone --json`")

  package static let properties: [Property<Self>] = [Property("microphones", \.entries)]
}

extension AudioSnapshot {
  /// Applies the choice of a source before the server reports it.
  fileprivate mutating func record(from source: AudioSource) {
    let programs = sources.flatMap(\.programs)
    defaultSource = source.name
    sources.removeAll { own in
      own.name != source.name
        && cards.contains { $0.activeKind == .handsFree && own.isPart(of: $0) }
    }
    for index in sources.indices {
      sources[index].programs = sources[index].name == source.name ? programs : []
    }
  }

  func device(meantBy selector: String) throws(CommandError) -> SoundDevice {
    let exact = devices.filter { $0.id.text == selector }
    let meant = exact.isEmpty ? devices.filter { $0.matches(selector) } : exact
    guard let device = meant.first else {
      throw .unavailable("no sound device \"\(displayable(selector))\"\n`earshot audio` lists them")
    }
    guard meant.count == 1 else {
      let names = meant.map { displayable($0.id.text) }.joined(separator: ", ")
      throw .unavailable("several sound devices match: \(names)\ngive more of its name or address")
    }
    return device
  }
}

extension State {
  /// Returns whether the sound goes to the headphone, and not needlessly in call quality.
  fileprivate func playsMusic(_ headphone: HeadphoneState) -> Bool {
    guard case .connected = route(of: headphone) else { return false }
    return !isNeedlesslyInCallQuality(headphone)
  }
}
