internal import EventLoop
public import HeadphoneProtocols
public import Persistence

/// The user's configuration file: `$XDG_CONFIG_HOME/earshot/config.toml`.
///
/// ```swift
/// for await (configuration, news) in ConfigurationFile().changes() { … }
/// ```
public struct ConfigurationFile: Sendable {
  /// A configuration, and the mistakes in its file.
  public typealias Contents = (configuration: Configuration, mistakes: [ConfigurationMistake])

  /// Absolute.
  public let path: String

  /// A relative `XDG_CONFIG_HOME` is ignored, as the XDG Base Directory Specification says.
  public init(environment: (String) -> String? = variable) {
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      path = "\(folder)/earshot/config.toml"
    } else {
      path = "\(environment("HOME") ?? "/")/.config/earshot/config.toml"
    }
  }

  /// The name that messages about mistakes begin with.
  public let name = "config.toml"

  /// Reads the file on the thread for files; for all callers on the main actor.
  public func load() async -> Contents { await FileIO.shared.run { read() } }

  /// Reads the file and the key files that it names; blocks.
  ///
  /// - Returns: a default configuration where there is no file.
  public func read() -> Contents {
    let (configuration, mistakes) = text()
    return (configuration, (mistakes + makers(of: configuration).mistakes).sorted())
  }

  private func text() -> Contents {
    do throws(FileError) {
      return Configuration.read(try PrivateFile(path: path).read() ?? [])
    } catch {
      return (Configuration(), [ConfigurationMistake(line: 1, "\(error)")])
    }
  }

  /// The configuration now, and each time that the file changes.
  ///
  /// - Parameter known: mistakes that were reported before; nil: those of the first element.
  /// - Returns: a stream, in which `news` has a line for each mistake if these differ from the last
  ///   ones reported, and else is nil.
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

  /// A line for each mistake.
  public func lines(for mistakes: [ConfigurationMistake]) -> [String] {
    mistakes.map { "\(name), \($0)" }
  }

  /// The first mistake, and how to list the others; nil: there are none.
  public func summary(of mistakes: [ConfigurationMistake]) -> String? {
    guard let first = mistakes.first else { return nil }
    let more = mistakes.count == 1 ? "" : " (and \(mistakes.count - 1) more: earshot config check)"
    return "\(name), \(first)\(more)"
  }

  /// Resolves a path in the file: "~/…", or relative to the file's folder.
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
            "cannot trust this maker: \(displayable("\(error)")); wanted is NAME.pub as "
              + "`earshot firmware keygen` writes it"))
      }
    }
    return (keys, mistakes)
  }
}
