extension UserCommand {
  package static let scenes = UserCommand(
    "scenes", keys: ["S"], "scenes: apply, save, rename, delete", hint: 145,
    isHinted: { !$0.preferences.scenes.isEmpty || !$0.headphones.isEmpty }, label: "Scenes"
  ) { state, _ in state.open(.scenes(line: 0)) }
}

extension PageKind {
  package static let scenes = PageKind(
    "Scenes",
    commands: [
      PageCommand(
        .accept, "apply the scene",
        currentLabel: { state in
          state.chosenScene.flatMap { state.isActive($0) ? nil : "Apply" }
        }
      ) { state, timestamp in
        state.chosenScene.map { state.apply($0, at: timestamp) } ?? []
      },
      PageCommand(.savePreset, "save the present settings as a scene", label: "Save present") {
        $0.askForSceneName(at: $1)
      },
      PageCommand(
        .rename, "rename the scene",
        currentLabel: { $0.preferences.scenes.isEmpty ? nil : "Rename" }
      ) {
        $0.askAboutScene(at: $1) { .entry(TextEntry(.renameScene($0), text: $0)) }
      },
      PageCommand(
        .forget, "delete the scene (asks)",
        currentLabel: { $0.preferences.scenes.isEmpty ? nil : "Delete" }
      ) {
        $0.askAboutScene(at: $1) { .question(Question(.deleteScene(name: $0))) }
      },
      .matching(.nextMatch, claimsKey: false), .matching(.previousMatch, claimsKey: false),
    ] + Scene.keys.map { PageCommand(.scene($0)) } + PageCommand.lines,
    lines: { $0.preferences.scenes.map { PageLine($0.name) } })
}

extension Question.Subject {
  package static func deleteScene(name: String) -> Self {
    Self(
      "Delete the scene?", no: "Keep", yes: "Delete", of: name,
      text: { _ in
        "Delete the scene \"\(name)\" from the configuration file? What is set now stays."
      }
    ) { _, _ in [.changeConfiguration(.deleteScene(name))] }
  }
}

extension TextEntry.Purpose {
  package static let saveScene = Self("SAVE AS A SCENE", sceneName) { $0.saveScene(as: $1, at: $2) }
  package static func renameScene(_ old: String) -> Self {
    Self("RENAME THE SCENE", sceneName, of: old) { state, entry, _ in
      state.renameScene(old, as: entry)
    }
  }

  private static let sceneName = "1 to 40 letters, digits, - or _."
}

extension State {
  /// The scene under the cursor, or the last one if there are fewer now.
  fileprivate var chosenScene: Scene? {
    page.line.flatMap { preferences.scenes.element(at: bounded($0)) }
  }

  fileprivate mutating func askForSceneName(at timestamp: Timestamp) -> [Effect] {
    guard readyHeadphone != nil else { return noteNotConnected(at: timestamp) }
    dialog = .entry(TextEntry(.saveScene))
    return []
  }

  fileprivate mutating func askAboutScene(
    at timestamp: Timestamp, _ dialog: (String) -> Dialog
  ) -> [Effect] {
    guard let scene = chosenScene else { return explain("no scene to change yet", at: timestamp) }
    self.dialog = dialog(scene.name)
    return []
  }

  fileprivate mutating func saveScene(as entry: TextEntry, at timestamp: Timestamp) -> [Effect] {
    let name = entry.text.trimmed
    if let complaint = complaint(aboutScene: name) { return complain(complaint, in: entry) }
    dialog = nil
    guard readyHeadphone != nil, let scene = scene(named: name) else {
      return noteNotConnected(at: timestamp)
    }
    page = page.with(line: preferences.scenes.count)
    return [.changeConfiguration(.addScene(scene))]
  }

  fileprivate mutating func renameScene(_ old: String, as entry: TextEntry) -> [Effect] {
    let name = entry.text.trimmed
    if name != old, let complaint = complaint(aboutScene: name) {
      return complain(complaint, in: entry)
    }
    dialog = nil
    return name == old ? [] : [.changeConfiguration(.renameScene(old, to: name))]
  }

  private func complaint(aboutScene name: String) -> String? {
    preferences.scenes.contains { $0.name == name }
      ? "a scene with this name already exists" : Scene.complaint(about: name)
  }
}
