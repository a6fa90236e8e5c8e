import ArgumentParser
import Sharing

/// The attempt to have an owner run a command line that this process has not parsed.
///
/// Parsing takes most of the time of a command that an owner runs, and a client needs its result
/// only if the owner exits.
enum HandOver {
  /// Returns how the owner ended the command line, or nil if this process has to run it.
  ///
  /// The result is nil if no owner serves clients, and for what an owner cannot run: help, usage
  /// errors and commands of this process.
  @MainActor
  static func attempt(_ words: [String]) async -> RemoteCommand.Outcome? {
    guard isPossible(words) else { return nil }
    let named = adapter(in: words)
    if named == nil { await CommonOptions.readConfiguredAdapter() }
    guard let endpoint = OwnerEndpoint(of: named ?? CommonOptions.configuredAdapter),
      let connection = endpoint.connect()
    else { return nil }
    var reader: Task<Void, Never>?
    defer { reader?.cancel() }
    let command = RemoteCommand(
      Request(ofThisProcess: .handOver), on: connection, limit: CommandTraits().limit, waits: false
    ) { traits in
      if traits.isEndless { reader = Task { _ = await StandardConsole.readerHasLeft() } }
    }
    let outcome = await command.run()
    return outcome == .busy || outcome == .declined ? nil : outcome
  }

  /// Returns the value of `--adapter`, or nil; an owner declines what the parser reads otherwise.
  static func adapter(in words: [String]) -> String? {
    let option = "--adapter"
    guard let index = words.lastIndex(where: { $0 == option || $0.hasPrefix(option + "=") })
    else { return nil }
    if words[index] != option { return String(words[index].dropFirst(option.count + 1)) }
    return index + 1 < words.count ? words[index + 1] : ""
  }

  /// Returns whether an owner may run the words, as local commands must not wait for one.
  private static func isPossible(_ words: [String]) -> Bool {
    guard words.contains(where: { !$0.hasPrefix("-") }),
      !words.contains(where: {
        ["help", "--help", "-h"].contains($0) || $0.hasPrefix("--capture")
      }),
      adapter(in: words)?.contains("/" as Character) != true
    else { return false }
    return !Earshot.configuration.subcommands.contains {
      words.contains($0.configuration.commandName ?? "") && !$0.hasSharedCommand(in: words)
    }
  }
}

extension ParsableCommand {
  fileprivate static func hasSharedCommand(in words: [String]) -> Bool {
    if let shared = self as? any SharedCommand.Type {
      return shared.sharingFlag.map(words.contains) ?? true
    }
    return configuration.subcommands.contains { $0.hasSharedCommand(in: words) }
  }
}
