import AudioRoute
import HeadphoneProtocols

extension UserCommand {
  static let sceneCommands = [scenes] + Scene.keys.map(scene)

  /// The command for a scene by its number, whose key follows those of the noise modes.
  package static func scene(_ number: Int) -> UserCommand {
    UserCommand(
      "scene-\(number)", keys: ["\(number + 4)"], "scene \(number) of the configuration",
      currentLabel: { state in
        state.preferences.scenes.element(at: number - 1).map { displayable($0.name) }
          ?? "Scene \(number)"
      },
      availability: { state in
        if state.preferences.scenes.indices.contains(number - 1) { return .available }
        return .refused(
          state.preferences.scenes.isEmpty ? "No scenes yet" : "There is no scene \(number)",
          remedy: .scenes)
      }
    ) { state, timestamp in
      state.preferences.scenes.element(at: number - 1).map { state.apply($0, at: timestamp) } ?? []
    }
  }
}

extension State {
  /// Applies the first scene whose output has just become the default, if a headphone is connected.
  mutating func applyScene(since before: State, at timestamp: Timestamp) -> [Effect] {
    guard case .running = before.audio, readyHeadphone != nil,
      let scene = preferences.scenes.first(where: { isOutput(of: $0) && !before.isOutput(of: $0) })
    else { return [] }
    return apply(scene, at: timestamp)
  }

  private func isOutput(of scene: Scene) -> Bool {
    guard case .running(let sound) = audio, case .output(let name) = scene.occasion else {
      return false
    }
    return output(named: name)?.name == sound.defaultSink
  }

  mutating func apply(_ scene: Scene, at timestamp: Timestamp) -> [Effect] {
    var effects = announce(scene, on: headphones.selected?.id, at: timestamp)
    for wish in scene.wishes {
      guard let headphone = readyHeadphone, let value = headphone.value(of: wish),
        headphone.settings[wish.setting].shown != value
      else { continue }
      effects += want(value, of: wish.setting)
    }
    if let isOn = scene.switchesCorrection, let headphone = headphones.selected,
      headphone.correction.choice.isOn != isOn
    {
      effects += follow(.changed(.on(isOn)), of: headphone.id, at: timestamp)
    }
    return effects + sound(of: scene).map(Effect.audio)
  }

  /// Shows that a scene applies, with what the headphone lacks.
  mutating func announce(
    _ scene: Scene, on id: HeadphoneID?, at timestamp: Timestamp
  ) -> [Effect] {
    let missing = missing(of: scene, on: id)
    let rest = missing.isEmpty ? "" : " applied, except \(missing.joined(separator: ", "))"
    return say(
      "Scene \(displayable(scene.name))\(rest)", id, naming: id != headphones.selected?.id,
      at: timestamp)
  }

  private func sound(of scene: Scene) -> [AudioCommand] {
    guard case .running(let sound) = audio else { return [] }
    var commands: [AudioCommand] = []
    if let mode = mode(of: scene), !mode.isActive, let card = soundCard {
      commands.append(mode.command(on: card))
    }
    if let sink = scene.output.flatMap(output(named:)), sink.name != sound.defaultSink {
      commands.append(.route(sink: sink.name))
    }
    return commands
  }

  private var soundCard: AudioCard? {
    headphones.selected.flatMap { audioMatch(for: $0)?.card }
  }

  private func mode(of scene: Scene) -> SoundMode? {
    scene.profile.flatMap { soundCard?.modes(matching: $0).first }
  }

  private func output(named name: String) -> AudioSink? {
    guard case .running(let sound) = audio else { return nil }
    if name == Scene.headphone {
      return headphones.selected.flatMap { audioMatch(for: $0)?.sink }
    }
    return sound.devices.first { $0.matches(name) }?.sink
  }

  /// Returns what a scene needs and is not available; a nil `id` is the selected headphone.
  package func missing(of scene: Scene, on id: HeadphoneID?) -> [String] {
    guard let id else { return missing(of: scene) }
    var seen = self
    seen.headphones.select(id)
    return seen.missing(of: scene)
  }

  package func isActive(_ scene: Scene) -> Bool {
    let isSet = scene.wishes.allSatisfy { wish in
      guard let headphone = readyHeadphone, let value = headphone.value(of: wish) else {
        return false
      }
      return headphone.settings[wish.setting].confirmed == value
    }
    let isCorrected = headphones.selected?.correction.choice.isOn ?? false
    guard scene.switchesCorrection.map({ $0 == isCorrected }) != false else { return false }
    guard isSet, missing(of: scene).isEmpty, case .running(let sound) = audio else {
      return isSet && scene.output == nil && scene.profile == nil
    }
    return (scene.output.flatMap(output(named:)).map { $0.name == sound.defaultSink } ?? true)
      && (mode(of: scene)?.isActive ?? true)
  }

  /// Returns the current settings and sound as a scene, or nil without a headphone.
  package func scene(named name: String, of id: HeadphoneID? = nil) -> Scene? {
    guard let headphone = (id ?? headphones.selected?.id).flatMap({ headphones[$0] }) else {
      return nil
    }
    let own = audioMatch(for: headphone)
    let isOwn = own?.sink != nil && own?.sink?.name == output?.name
    let mode = own?.card?.modes.first(where: \.isActive)
    return Scene(
      name: name, of: headphone,
      output: isOwn ? Scene.headphone : output.map(\.description), profile: mode?.name)
  }

  private func missing(of scene: Scene) -> [String] {
    let needsHeadphone = !scene.wishes.isEmpty && readyHeadphone == nil
    let settings = scene.wishes.filter { readyHeadphone?.value(of: $0) == nil }
    let isCorrectable = scene.switchesCorrection != nil && headphones.selected != nil
    let sound = [
      scene.correction.flatMap { isCorrectable ? nil : "correction \(displayable($0))" },
      scene.profile.flatMap { mode(of: scene) == nil ? words(ofProfile: $0) : nil },
      scene.output.flatMap { output(named: $0) == nil ? words(ofOutput: $0) : nil },
    ]
    return (needsHeadphone ? ["a connected headphone"] : settings.map(words(of:)))
      + sound.compactMap(\.self)
  }

  /// Returns each setting of a scene in a few words, and when the scene applies automatically.
  package func parts(of scene: Scene) -> [String] {
    scene.wishes.map(words(of:))
      + [
        scene.correction.map { "correction \(displayable($0))" },
        scene.output.map(words(ofOutput:)), scene.profile.map(words(ofProfile:)),
        scene.occasion.map(words(of:)),
      ].compactMap(\.self)
  }

  private func words(of wish: Scene.Wish) -> String {
    let declaration = headphones.selected?.capabilities?.declaration(of: wish.setting)
    guard let declaration, let value = try? declaration.value(of: wish.word) else {
      return "\(declaration?.title ?? wish.setting.displayText) \(displayable(wish.word))"
    }
    return "\(declaration.title) \(declaration.displayText(for: value))"
  }

  private func words(of occasion: Scene.Occasion) -> String {
    switch occasion {
    case .output(let name): "when on \(displayable(name))"
    case .call: "during calls"
    case .program(let name): "while \(displayable(name)) plays"
    }
  }

  private func words(ofProfile name: String) -> String {
    soundCard?.modes(matching: name).first?.displayText ?? "profile \(displayable(name))"
  }

  private func words(ofOutput name: String) -> String {
    "output \(displayable(name == Scene.headphone ? name : output(named: name)?.description ?? name))"
  }
}
