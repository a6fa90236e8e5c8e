package import Companion
internal import EventLoop
package import FirmwareCrypto
internal import HeadphoneProtocols
package import Persistence
internal import TOML

/// The user's configuration file: `$XDG_CONFIG_HOME/earshot/config.toml`.
package struct ConfigurationFile: Sendable {
  package typealias Contents = (configuration: Configuration, mistakes: [ConfigurationMistake])

  /// The absolute path of the file, which need not exist.
  package let path: String

  /// Creates the file of this user, ignoring a relative `XDG_CONFIG_HOME` (XDG Base Directory).
  package init(environment: (String) -> String? = variable) {
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      path = "\(folder)/earshot/config.toml"
    } else {
      path = "\(environment("HOME") ?? "/")/.config/earshot/config.toml"
    }
  }

  /// The name at the start of messages about mistakes.
  package let name = "config.toml"

  /// Reads the file and the key files that it names, without blocking the caller.
  package func load() async -> Contents {
    let (configuration, mistakes) = await FileIO.shared.run { text() }
    guard !configuration.keyFiles.isEmpty else { return (configuration, mistakes) }
    let ofKeys = await FileIO.named.run(within: .seconds(3)) { makers(of: configuration).mistakes }
    let stalled = ConfigurationMistake(
      line: 1, "cannot read the keys of makers: the disk does not answer")
    return (configuration, (mistakes + (ofKeys ?? [stalled])).sorted())
  }

  /// Reads the file, or the defaults without one, and the key files that it names; blocks.
  package func read() -> Contents {
    let (configuration, mistakes) = text()
    return (configuration, (mistakes + makers(of: configuration).mistakes).sorted())
  }

  /// Returns the configured adapter, or nil if there is none or the disk does not answer in time.
  package func adapter(within limit: Duration, by clock: any Clock<Duration>) async -> String? {
    await FileIO.shared.run(within: limit, by: clock) {
      text().configuration.connection.adapter
    } ?? nil
  }

  private func text() -> Contents {
    do throws(FileError) {
      // Without a file, the start is faster if the tables are not built.
      guard let text = try PrivateFile(path: path).read() else { return (Configuration(), []) }
      return Configuration.read(text)
    } catch {
      return (Configuration(), [ConfigurationMistake(line: 1, "\(error)")])
    }
  }

  /// Returns a stream of the current configuration and those after each change of the file.
  ///
  /// `news` has a line for each mistake, or is nil if they have not changed, at first since
  /// `known`.
  package func changes(
    since known: [ConfigurationMistake]? = nil
  ) -> AsyncStream<(configuration: Configuration, news: [String]?)> {
    AsyncStream { continuation in
      let following = Task {
        var known = known
        for await _ in PollLoop.shared.changes(ofFile: path) {
          let (new, mistakes) = await load()
          let news = (known ?? mistakes) == mistakes ? nil : lines(for: mistakes)
          known = mistakes
          continuation.yield((new, news))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in following.cancel() }
    }
  }

  /// Makes a change from the screen; returns the reason if that failed, or nil after success.
  package func apply(_ change: ConfigurationChange) async -> String? {
    do throws(FileError) {
      let isDone = try await FileIO.shared.run { () throws(FileError) -> Bool in
        switch change {
        case .theme(let name):
          return try edit { $0.set("theme", in: ["screen"], to: TOMLValue.quoted(name)) }
        case .sound(let change):
          let table = change.selector.map { ["headphones", $0] } ?? ["sound"]
          return try edit { editor in
            editor.set(
              change.setting.name, in: table, to: change.value?.toml,
              remark: change.remark.map(displayable))
          }
        case .addScene(let scene): return try add(scene)
        case .renameScene(let old, let name): return try rename(scene: old, to: name)
        case .deleteScene(let name): return try delete(scene: name)
        }
      }
      return isDone ? nil : "\(name) has it in a form that only an editor can change"
    } catch {
      return "\(error)"
    }
  }

  /// Adds a scene, or returns false if the name is taken or only an editor can do so; blocks.
  package func add(_ scene: Scene) throws(FileError) -> Bool {
    try edit { $0.append(scene.toml) }
  }

  /// Renames a scene, or returns false if the name is taken or only an editor can do so; blocks.
  package func rename(scene old: String, to name: String) throws(FileError) -> Bool {
    try edit { $0.rename(["scenes", old], to: name) }
  }

  /// Deletes a scene, or returns false if it has no table with a header; blocks.
  package func delete(scene name: String) throws(FileError) -> Bool {
    try edit { $0.remove(["scenes", name]) }
  }

  package enum KeyChange: Hashable, Sendable {
    case done
    case wrong(String)
    /// The value, or the key in the file, has a form that only an editor can change.
    case needsEditor
  }

  /// Sets a key to a scalar in TOML or to a text without its quotes, or removes it; blocks.
  package func set(
    _ key: Configuration.ExplainedKey, to value: String?
  ) throws(FileError) -> KeyChange {
    let parts = key.name.split(separator: ".", maxSplits: 1).map(String.init)
    var change = KeyChange.needsEditor
    guard let value else {
      let isDone = try edit { $0.set(parts[1], in: [parts[0]], to: nil) }
      return isDone ? .done : .needsEditor
    }
    _ = try edit { editor in
      let known = Set(Configuration.read(editor.text).mistakes.map(\.what))
      for literal in [value, TOMLValue.quoted(value)] where TOMLValue(scalar: literal) != nil {
        var changed = editor
        guard changed.set(parts[1], in: [parts[0]], to: literal) else { return false }
        let mistakes = Configuration.read(changed.text).mistakes.map(\.what)
        guard let mistake = mistakes.first(where: { !known.contains($0) }) else {
          editor = changed
          change = .done
          return true
        }
        change = .wrong(mistake)
      }
      return false
    }
    return change
  }

  private func edit(_ change: (inout TOMLEditor) -> Bool) throws(FileError) -> Bool {
    let file = PrivateFile(path: path).destination
    return try file.withLockedFolder { () throws(FileError) -> Bool in
      let text = try file.read() ?? []
      var editor = TOMLEditor(text)
      guard change(&editor) else { return false }
      if editor.text != text { try file.rewrite(with: editor.text) }
      return true
    }
  }

  package func makeFolder() throws(FileError) { try PrivateFile(path: path).makeFolder() }

  /// Returns a line for each mistake, with the name of the file.
  package func lines(for mistakes: [ConfigurationMistake]) -> [String] {
    mistakes.map { "\(name), \($0)" }
  }

  /// Returns the first mistake and a hint for the others, or nil if there are none.
  package func summary(of mistakes: [ConfigurationMistake]) -> String? {
    guard let first = mistakes.first else { return nil }
    let more = mistakes.count == 1 ? "" : " (and \(mistakes.count - 1) more: earshot config check)"
    return "\(name), \(first)\(more)"
  }

  /// Returns the absolute path for one that starts with "~/" or is relative to the file's folder.
  package func resolve(_ named: String) -> String {
    if named.hasPrefix("~/"), let home = variable("HOME") { return home + named.dropFirst() }
    guard !named.hasPrefix("/") else { return named }
    return path.dropLast(name.count) + named
  }

  /// Reads the vendor keys of each profile, and a mistake for each file without a key; blocks.
  package func makers() -> (keys: MakerKeys, mistakes: [ConfigurationMistake]) {
    makers(of: text().configuration)
  }

  private func makers(
    of configuration: Configuration
  ) -> (keys: MakerKeys, mistakes: [ConfigurationMistake]) {
    var keys = MakerKeys()
    var mistakes: [ConfigurationMistake] = []
    for (profile, file) in configuration.keyFiles {
      do throws(FileError) {
        let key = try KeyFile.verifyingKey(at: resolve(file.path))
        keys.ofProfiles[profile, default: []].append(key)
      } catch {
        mistakes.append(
          ConfigurationMistake(
            line: file.line,
            "cannot trust this maker: \(displayable("\(error)")); name a NAME.pub file "
              + "written by `earshot firmware keygen`"))
      }
    }
    return (keys, mistakes)
  }
}
