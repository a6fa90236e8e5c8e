import Companion
import CompanionRuntime
import Configuration
import EventLoop
import Glibc
import HeadphoneProtocols
import Persistence
import Sharing

/// A word in place of a setting's name, which a file follows.
enum SettingFileAction: String, CaseIterable {
  case save, restore
}

struct SettingFile {
  let action: SettingFileAction
  let path: String

  var isStandard: Bool { path == "-" }

  /// The path in reports, or nil for standard input and output.
  var reported: String? { isStandard ? nil : path }

  var title: String { isStandard ? "standard input" : displayable(path) }
}

extension SettingCommand {
  var file: SettingFile? {
    guard let action = name.flatMap(SettingFileAction.init), let value else { return nil }
    return SettingFile(action: action, path: value)
  }

  @MainActor
  func save(in context: CommandContext) async throws(CommandError) {
    guard let file else { return }
    try await withHeadphone(in: context, isReading: true) { headphone throws(CommandError) in
      try await headphone.readSettings()
      guard let saved = headphone.savedSettings else { throw .link(.user) }
      let unreported = headphone.headphone?.unreportedSettings ?? []
      let text = saved.toml(without: unreported)
      if !file.isStandard { try await file.write("\(text)\n", in: context, replaces: force) }
      if !unreported.isEmpty {
        let names = unreported.map(\.rawValue).joined(separator: ", ")
        context.console.message("without \(names): the headphone does not report them")
      }
      if file.isStandard, !options.json {
        context.console.data(text)
        return nil
      }
      return SettingsSavedReport(saved, unreported: unreported, to: file.reported)
    }
  }

  /// Sets what differs from a file, and prints what became of each setting.
  ///
  /// The syntax is checked before anything is connected, and the values before anything is sent.
  /// The first failure is thrown after all other settings were set.
  @MainActor
  func restore(in context: CommandContext) async throws(CommandError) {
    guard let file else { return }
    let (saved, mistakes) = SavedSettings.read(try await file.content(in: context))
    try file.require(mistakes)
    let target = target(in: context)
    try await linked(target, selector(in: context), on: context.console) {
      () throws(CommandError) in
      try await target.readSettings()
      guard let headphone = target.headphone else { throw .link(.user) }
      try file.require(saved, of: headphone, isForced: force)
      let (results, failure) = try await target.restore(saved)
      context.console.data(
        SettingsRestoredReport(results, from: file.reported, on: headphone.name),
        asJSON: options.json)
      if let failure { throw failure }
      let lost = results.filter { if case .notKept = $0.outcome { true } else { false } }
      guard lost.isEmpty else {
        throw .unavailable(
          "\(displayable(headphone.name)) did not keep "
            + lost.map(\.wish.setting.rawValue).joined(separator: ", "))
      }
    }
  }
}

extension SettingFile {
  @MainActor
  fileprivate func write(
    _ text: String, in context: CommandContext, replaces: Bool
  ) async throws(CommandError) {
    let target = PrivateFile(path: context.path(path))
    do throws(FileError) {
      try await FileIO.named.run { () throws(FileError) in
        let bytes = Array(text.utf8)
        if replaces { try target.write(bytes) } else { try target.create(with: bytes) }
      }
    } catch {
      guard case .system(errno: EEXIST, during: _, path: _) = error else { throw .file(error) }
      throw .unavailable(
        "\(displayable(path)) already exists\ngive another name, or --force to overwrite it")
    }
  }

  /// The maximum length of standard input in bytes.
  private static let longest = 1 << 20

  @MainActor
  fileprivate func content(in context: CommandContext) async throws(CommandError) -> [UInt8] {
    guard isStandard else {
      let path = context.path(path)
      return try await FileIO.named.open(path) { () throws(CommandError) in
        do throws(FileError) {
          guard let content = try PrivateFile(path: path).read() else {
            throw .malformed(path: path, reason: "there is no such file")
          }
          return content
        } catch {
          throw .file(error)
        }
      }
    }
    var content: [UInt8] = []
    while content.count < Self.longest, let line = await context.console.line() {
      content += Array("\(line)\n".utf8)
    }
    return content
  }

  /// Checks that the file is of the headphone's model, and that the headphone takes its values.
  fileprivate func require(
    _ saved: SavedSettings, of headphone: HeadphoneState, isForced: Bool
  ) throws(CommandError) {
    guard !headphone.hasModel(of: saved) else {
      return try require(
        headphone.mistakes(in: saved).map { ConfigurationMistake(line: $0.line, $0.what) })
    }
    guard !isForced else { return }
    let own = displayable(headphone.information.model ?? headphone.name)
    let what =
      (saved.model ?? saved.headphone).map { "\(title) is of \(displayable($0)), not of \(own)" }
      ?? "\(title) does not say which headphone it is of"
    throw .unavailable("\(what)\n--force restores what fits")
  }

  private static let mostMistakes = 20

  fileprivate func require(_ mistakes: [ConfigurationMistake]) throws(CommandError) {
    guard !mistakes.isEmpty else { return }
    let count = mistakes.count == 1 ? "a mistake" : "\(mistakes.count) mistakes"
    let more = mistakes.count - Self.mostMistakes
    let lines =
      mistakes.prefix(Self.mostMistakes).map(\.description) + (more > 0 ? ["and \(more) more"] : [])
    throw .unavailable(
      "\(title) has \(count), and nothing was sent\n\(lines.joined(separator: "\n"))")
  }
}
