import Companion
import CompanionRuntime
import Configuration
import EventLoop
import Persistence

/// The file of the person's wishes: `$XDG_CONFIG_HOME/earshot/config.toml`.
struct ConfigurationFile {
  let path: String

  /// A relative `XDG_CONFIG_HOME` is ignored, as the XDG Base Directory Specification says.
  init(environment: (String) -> String? = variable) {
    if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      path = "\(folder)/earshot/config.toml"
    } else {
      path = "\(environment("HOME") ?? "/")/.config/earshot/config.toml"
    }
  }

  /// As mistakes are told with it.
  let name = "config.toml"

  /// What it says, and what is wrong in it or with the keys that it names.
  func read() -> (configuration: Configuration, mistakes: [ConfigurationMistake]) {
    let (configuration, mistakes) = text()
    return (configuration, (mistakes + makers(of: configuration).mistakes).sorted())
  }

  /// What stands in it; a file that is not there says nothing.
  func text() -> (configuration: Configuration, mistakes: [ConfigurationMistake]) {
    do throws(FileError) {
      return Configuration.read(try PrivateFile(path: path).read() ?? [])
    } catch {
      return (Configuration(), [ConfigurationMistake(line: 1, "\(error)")])
    }
  }

  /// What it says now, and each time that it changes; `news`: its mistakes, where they are others.
  ///
  /// - Parameter known: the mistakes that have been told; nil: those of the start.
  func changes(
    since known: [ConfigurationMistake]? = nil
  ) -> AsyncStream<(configuration: Configuration, news: [String]?)> {
    AsyncStream { continuation in
      let following = Task {
        var known = known
        for await _ in PollLoop.shared.changes(ofFile: path) {
          let (new, mistakes) = await FileIO.shared.run { read() }
          let news = (known ?? mistakes) == mistakes ? nil : words(for: mistakes)
          known = mistakes
          continuation.yield((new, news))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in following.cancel() }
    }
  }

  /// A line for each mistake.
  func words(for mistakes: [ConfigurationMistake]) -> [String] {
    mistakes.map { "\(name), \($0)" }
  }

  /// Says the first mistake, and how to see the others.
  func report(_ mistakes: [ConfigurationMistake]) {
    guard let first = mistakes.first else { return }
    let more = mistakes.count == 1 ? "" : " (and \(mistakes.count - 1) more: earshot config check)"
    Output.message("\(name), \(first)\(more)")
  }

  /// A path that stands in the file: "~/…", or beside the file itself.
  func resolve(_ named: String) -> String {
    if named.hasPrefix("~/"), let home = variable("HOME") { return home + named.dropFirst() }
    guard !named.hasPrefix("/") else { return named }
    return path.dropLast(name.count) + named
  }
}

extension ConnectionPreferences {
  /// Whom commands are for when nothing else says so.
  var selector: String? {
    guard case .matching(let selector) = rule else { return nil }
    return selector
  }
}

extension LiveDependencies {
  /// Which headphone to connect at the start: the command line goes before the configuration.
  func autoConnect(_ options: CommonOptions) -> AutoConnect {
    if let selector = options.device { return .matching(selector) }
    switch configuration.connection.rule {
    case .lastUsed: return .lastUsed(else: options.newDevice)
    case .never: return .never
    case .matching(let selector): return .matching(selector)
    }
  }

  /// Says that the configuration is not as the person thinks.
  func reportProblems() { ConfigurationFile().report(mistakes) }
}
