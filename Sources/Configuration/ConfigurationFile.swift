public import Companion
internal import EventLoop
internal import Glibc
public import HeadphoneProtocols
public import Persistence
internal import TOML

/// The user's configuration file: `$XDG_CONFIG_HOME/earshot/config.toml`.
///
/// ```swift
/// let file = ConfigurationFile()
/// for await (configuration, news) in file.changes() {
///   apply(configuration)
///   for line in news ?? [] { print(line) }
/// }
/// ```
public struct ConfigurationFile: Sendable {
  /// A configuration with the mistakes in its file.
  public typealias Contents = (configuration: Configuration, mistakes: [ConfigurationMistake])

  /// The absolute path of the file, which need not exist.
  public let path: String

  /// The file of this user.
  ///
  /// A relative `XDG_CONFIG_HOME` is ignored, as the XDG Base Directory Specification requires.
  ///
  /// - Parameter environment: the value of a variable; `nil` if it is not set.
  public init(environment: (String) -> String? = variable) {
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      path = "\(folder)/earshot/config.toml"
    } else {
      path = "\(environment("HOME") ?? "/")/.config/earshot/config.toml"
    }
  }

  /// The name at the start of messages about mistakes.
  public let name = "config.toml"

  /// Reads the file on the thread for files, for callers that must not block; the key files that it
  /// names on the lane for such files.
  public func load() async -> Contents {
    let (configuration, mistakes) = await FileIO.shared.run { text() }
    guard !configuration.keyFiles.isEmpty else { return (configuration, mistakes) }
    let ofKeys = await FileIO.named.run(within: .seconds(3)) { makers(of: configuration).mistakes }
    let stalled = ConfigurationMistake(
      line: 1, "cannot read the keys of makers: the disk does not answer")
    return (configuration, (mistakes + (ofKeys ?? [stalled])).sorted())
  }

  /// Reads the file and the key files that it names; blocks.
  ///
  /// - Returns: the defaults if there is no file; a file that cannot be read is a mistake.
  public func read() -> Contents {
    let (configuration, mistakes) = text()
    return (configuration, (mistakes + makers(of: configuration).mistakes).sorted())
  }

  /// The configuration without its key files.
  private func text() -> Contents {
    do throws(FileError) {
      // Without a file a start need not build the tables that it could have.
      guard let text = try PrivateFile(path: path).read() else { return (Configuration(), []) }
      return Configuration.read(text)
    } catch {
      return (Configuration(), [ConfigurationMistake(line: 1, "\(error)")])
    }
  }

  /// Yields the current configuration, and then one each time that the file changes.
  ///
  /// - Parameter known: the mistakes that were reported before; `nil` for those of the first
  ///   element.
  /// - Returns: a stream, in which `news` has a line for each mistake if the mistakes have changed,
  ///   and is `nil` otherwise.
  public func changes(
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

  /// Adds a table at the end of the file, which is made if there is none; blocks.
  ///
  /// - Throws: `FileError`.
  public func append(_ table: String) throws(FileError) {
    let file = PrivateFile(path: path)
    let text = try file.read() ?? []
    let gap = text.isEmpty ? "" : text.last == UInt8(ascii: "\n") ? "\n" : "\n\n"
    try file.append(Array("\(gap)\(table)\n".utf8))
  }

  /// Makes a change that was asked for on a screen.
  ///
  /// - Returns: why the file is as it was; nil: it has changed.
  public func apply(_ change: ConfigurationChange) async -> String? {
    do throws(FileError) {
      let isDone = try await FileIO.shared.run { () throws(FileError) -> Bool in
        switch change {
        case .theme(let name): return try set("theme", in: ["screen"], to: quoted(name))
        case .sound(let change):
          let table = change.selector.map { ["headphones", $0] } ?? ["sound"]
          return try set(
            change.setting.name, in: table, to: change.value?.toml, remark: change.remark)
        case .addScene(let scene):
          try append(scene.toml)
          return true
        case .renameScene(let old, let name):
          return try rename(table: "scenes", old, to: name)
        case .deleteScene(let name): return try remove(table: "scenes", name)
        }
      }
      return isDone ? nil : "\(name) has it in a form that only an editor can change"
    } catch {
      return "\(error)"
    }
  }

  /// The outcome of giving a key another value.
  public enum KeyChange: Hashable, Sendable {
    case done
    /// Why the key does not take the value.
    case wrong(String)
    /// The value, or what the file has, is of a form that only an editor can change.
    case needsEditor
  }

  /// Gives a key another value, and leaves everything else as it is; blocks.
  ///
  /// - Parameter value: as a file has it, or a text without its quotes; not a list.
  /// - Throws: `FileError`.
  public func set(
    _ key: Configuration.ExplainedKey, to value: String
  ) throws(FileError) -> KeyChange {
    let parts = key.name.split(separator: ".", maxSplits: 1).map(String.init)
    let known = Set(text().mistakes.map(\.what))
    var mistake: String?
    for literal in [value, quoted(value)] where literal.scalar != nil {
      mistake = nil
      let isDone = try set(parts[1], in: [parts[0]], to: literal) { text in
        mistake = Configuration.read(text).mistakes.map(\.what).first { !known.contains($0) }
        return mistake == nil
      }
      if isDone { return .done }
      if mistake == nil { return .needsEditor }
    }
    return mistake.map(KeyChange.wrong) ?? .needsEditor
  }

  /// Gives a key of a table another value, and leaves everything else as it is; blocks.
  ///
  /// - Parameters:
  ///   - path: the names of the table, from the outermost on.
  ///   - value: as a file has it; nil: the key is removed.
  ///   - remark: stands beside the header of a table that is added.
  ///   - isRight: whether the file may become this text.
  /// - Returns: false if the file has the table, or the value, in a form that cannot be changed so.
  /// - Throws: `FileError`.
  func set(
    _ name: String, in path: [String], to value: String?, remark: String? = nil,
    isRight: ([UInt8]) -> Bool = { _ in true }
  ) throws(FileError) -> Bool {
    let line = value.map { Array("\(key(name)) = \($0)".utf8) }
    return try edit { document, lines in
      guard let found = document.entry(path) else {
        guard let line else { return true }
        while lines.last?.isEmpty == true { lines.removeLast() }
        if !lines.isEmpty { lines.append([]) }
        let header = "[\(path.map(key).joined(separator: "."))]"
        let words = remark.map { "  # \(displayable($0))" } ?? ""
        lines += [Array((header + words).utf8)[...], line[...], []]
        return true
      }
      guard case .table(let keys) = found.node.value else { return false }
      guard let old = keys[name] else {
        guard let line else { return true }
        guard lines.isHeader(found.line - 1) else { return false }
        lines.insert(line[...], at: found.line)
        return true
      }
      guard lines.indices.contains(old.line - 1),
        let changed = lines[old.line - 1].withValue(value ?? "0")
      else { return false }
      if value == nil { lines.remove(at: old.line - 1) } else { lines[old.line - 1] = changed }
      return true
    } verifying: { document, text in
      let kept = document.entry(path)?.node.value
      guard let value else {
        guard case .table(let keys)? = kept else { return kept == nil }
        return keys[name] == nil
      }
      guard case .table(let keys)? = kept else { return false }
      return value.scalar != nil && keys[name]?.node.value == value.scalar && isRight(text)
    }
  }

  /// Removes the table `[parent.name]` with its lines, and leaves everything else as it is; blocks.
  ///
  /// - Returns: false if the file has no such table, or in another form: inline, or with dotted keys.
  /// - Throws: `FileError`.
  public func remove(table parent: String, _ name: String) throws(FileError) -> Bool {
    try edit { document, lines in
      guard let first = document.entry(parent, name)?.line, lines.isHeader(first - 1) else {
        return false
      }
      var end = (first..<lines.count).first(where: lines.isHeader) ?? lines.count
      // Blank lines and remarks above the next table are that table's.
      while end < lines.count, end > first, lines[end - 1].isRemark { end -= 1 }
      lines.removeSubrange(first - 1..<end)
      if first == 1 { while lines.first?.isEmpty == true { lines.removeFirst() } }
      return true
    } verifying: { document, _ in
      document.entry(parent, name) == nil
    }
  }

  /// Gives the table `[parent.old]` another name, and leaves everything else as it is; blocks.
  ///
  /// - Returns: as ``remove(table:_:)``.
  /// - Throws: `FileError`.
  public func rename(
    table parent: String, _ old: String, to new: String
  ) throws(FileError) -> Bool {
    try edit { document, lines in
      guard let place = document.entry(parent, old)?.line, lines.isHeader(place - 1) else {
        return false
      }
      lines[place - 1] = Array("[\(parent).\(key(new))]".utf8)[...]
      return true
    } verifying: { document, _ in
      document.entry(parent, old) == nil && document.entry(parent, new) != nil
    }
  }

  /// Changes the lines of the file, unless the result would not be what is meant.
  private func edit(
    _ change: (TOMLDocument, inout [ArraySlice<UInt8>]) -> Bool,
    verifying isMeant: (TOMLDocument, [UInt8]) -> Bool
  ) throws(FileError) -> Bool {
    // A link into a folder of dot files stays one.
    let file = PrivateFile(path: Self.target(of: path))
    let text = try file.read() ?? []
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let document = TOMLDocument(parsing: text)
    guard change(document, &lines) else { return false }
    let rest = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    let changed = TOMLDocument(parsing: rest)
    guard isMeant(changed, rest), changed.mistakes.count <= document.mistakes.count else {
      return false
    }
    try file.replace(with: rest)
    return true
  }

  /// The file that a path leads to.
  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Makes the folder of the file; blocks.
  public func makeFolder() throws(FileError) { try PrivateFile(path: path).makeFolder() }

  /// A line for each mistake, with the name of the file.
  public func lines(for mistakes: [ConfigurationMistake]) -> [String] {
    mistakes.map { "\(name), \($0)" }
  }

  /// The first mistake, and how to list the others; `nil` if there are none.
  public func summary(of mistakes: [ConfigurationMistake]) -> String? {
    guard let first = mistakes.first else { return nil }
    let more = mistakes.count == 1 ? "" : " (and \(mistakes.count - 1) more: earshot config check)"
    return "\(name), \(first)\(more)"
  }

  /// The absolute path of a path in the file, which may be "~/…" or relative to the file's folder.
  public func resolve(_ named: String) -> String {
    if named.hasPrefix("~/"), let home = variable("HOME") { return home + named.dropFirst() }
    guard !named.hasPrefix("/") else { return named }
    return path.dropLast(name.count) + named
  }

  // MARK: Keys for firmware

  /// Reads the vendor keys that the file names; blocks.
  ///
  /// - Returns: the keys of each profile, and a mistake for each file without a key.
  public func makers() -> (keys: MakerKeys, mistakes: [ConfigurationMistake]) {
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

extension TOMLDocument {
  /// The table, or the value, of these names, from the outermost on.
  fileprivate func entry(_ path: [String]) -> TOMLTable.Entry? {
    guard let first = path.first, let outermost = root[first] else { return nil }
    return path.dropFirst().reduce(outermost) { entry, name in
      guard case .table(let inner)? = entry?.node.value else { return nil }
      return inner[name]
    }
  }

  /// The table `[parent.name]`.
  fileprivate func entry(_ parent: String, _ name: String) -> TOMLTable.Entry? {
    guard case .table(let tables)? = root[parent]?.node.value else { return nil }
    return tables[name]
  }
}

extension [ArraySlice<UInt8>] {
  /// Whether a line begins a table.
  fileprivate func isHeader(_ index: Int) -> Bool {
    indices.contains(index) && self[index].first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "[")
  }
}

extension ArraySlice<UInt8> {
  /// The line `key = value  # remark` with another value; nil: its value is no text, number or word.
  fileprivate func withValue(_ value: String) -> ArraySlice<UInt8>? {
    guard let equals = firstIndex(of: UInt8(ascii: "=")),
      let start = self[index(after: equals)...].firstIndex(where: { $0 != UInt8(ascii: " ") }),
      !"[{".utf8.contains(self[start])
    else { return nil }
    let end: Index
    if [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(self[start]) {
      guard let quote = self[index(after: start)...].firstIndex(of: self[start]) else { return nil }
      end = index(after: quote)
    } else {
      end = self[start...].firstIndex { " \t#\r".utf8.contains($0) } ?? endIndex
    }
    return self[...equals] + Array(" \(value)".utf8) + self[end...]
  }

  /// Whether the line has no key.
  fileprivate var isRemark: Bool {
    let first = first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return first == nil || first == UInt8(ascii: "#") || first == UInt8(ascii: "\r")
  }
}

extension String {
  /// The one value that it is in TOML; nil: it is none, or a list or a table.
  fileprivate var scalar: TOMLValue? {
    let document = TOMLDocument(parsing: "value = \(self)".utf8)
    guard document.mistakes.isEmpty, document.root.entries.count == 1,
      let value = document.root["value"]?.node.value
    else { return nil }
    switch value {
    case .array, .table: return nil
    case .string, .integer, .float, .bool, .dateTime: return value
    }
  }
}
