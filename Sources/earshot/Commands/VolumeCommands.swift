import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Sharing

/// The command `earshot volume`; a step is resolved before it is sent, so that a retry is safe.
struct VolumeCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["audio volume"]

  static let configuration = CommandConfiguration(
    commandName: "volume",
    abstract: "Show or set the volume.",
    discussion: """
      It is the headphone's own volume if it has the Volume Control service, else the volume of its \
      output at the sound server.

      EXAMPLES:
        earshot volume
        earshot volume 40
        earshot volume +5
        earshot volume -5
        earshot volume up
      """)

  @Argument(
    help: "0 to 100, +N or -N to raise or lower it, up, down, min or max.",
    transform: AmountArgument.parse)
  var change: AmountArgument?

  @Argument(help: .headphone, completion: .headphones)
  var headphone: String?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var hasStep: Bool { change?.isStep == true }

  func validate() throws {
    guard change?.isValid(in: 0...100) != false else {
      throw ValidationError("there is no such volume\nit goes from 0 to 100")
    }
  }

  var isReading: Bool { change == nil }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    let now = try await headphone.volume()
    guard let change else { return now }
    let level =
      context.step.flatMap { Int($0) } ?? change.level(from: now.level, in: 0...100, step: 5)
    return try await headphone.setVolume(level)
  }

  @MainActor
  func resolveStep(of headphone: CommandTarget) async throws(CommandError) -> String? {
    guard let change else { return nil }
    return "\(change.level(from: try await headphone.volume().level, in: 0...100, step: 5))"
  }
}

/// The command `earshot mute`; `toggle` is resolved before it is sent, like a step.
struct MuteCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = [
    "volume mute", "audio mute", .init("unmute", as: "off"), .init("volume unmute", as: "off"),
    .init("audio unmute", as: "off"),
  ]

  static let configuration = CommandConfiguration(
    commandName: "mute",
    abstract: "Mute or unmute the sound.",
    discussion: """
      Mutes the headphone itself if it has its own volume, otherwise its output.

      EXAMPLES:
        earshot mute
        earshot mute off
        earshot mute toggle
      """)

  @Argument(help: "on, off or toggle.")
  var change = ToggleArgument.on

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var hasStep: Bool { change.isStep }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    let change = change.resolved(in: context)
    let now = try await headphone.volume()
    let report = try await headphone.setVolume(
      nil, isMuted: change == .toggle ? !now.isMuted : change == .on)
    return ValueReport(
      .muted, OnOff(report.isMuted),
      sentence: report.isMuted ? "muted" : "not muted")
  }

  @MainActor
  func resolveStep(of headphone: CommandTarget) async throws(CommandError) -> String? {
    let isMuted = try await headphone.volume().isMuted
    return (isMuted ? ToggleArgument.off : .on).rawValue
  }
}

/// The command `earshot level`, in the headphone's steps.
struct LevelCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["ambient"]

  static let configuration = CommandConfiguration(
    commandName: "level",
    abstract: "Show or set the level of noise control.",
    discussion: """
      How much of the surroundings is heard, or how deep noise control goes, where the headphone has \
      such a level.

      EXAMPLES:
        earshot level
        earshot level 7
        earshot level +1
      """)

  @Argument(
    help: "The level, +N or -N to raise or lower it, up, down, min or max.",
    transform: AmountArgument.parse)
  var change: AmountArgument?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var hasStep: Bool { change?.isStep == true }

  var isReading: Bool { change == nil }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    if let change {
      let level =
        if let step = context.step { step } else { "\(try wanted(change, of: headphone))" }
      try await headphone.set(SettingID.ambientLevel.rawValue, to: level)
    } else {
      _ = try headphone.level(.ambientLevel, Self.name)
    }
    return headphone.headphone.map { LevelReport($0, .ambientLevel) }
  }

  @MainActor
  func resolveStep(of headphone: CommandTarget) async throws(CommandError) -> String? {
    guard let change else { return nil }
    return "\(try wanted(change, of: headphone))"
  }

  private static let name = "noise control level"

  /// Returns the requested level.
  ///
  /// - Throws: `usage` if it is out of range, `unavailable` for a step from an unknown level.
  @MainActor
  private func wanted(
    _ change: AmountArgument, of headphone: CommandTarget
  ) throws(CommandError) -> Int {
    let (range, now) = try headphone.level(.ambientLevel, Self.name)
    let bounds = "\(range.lowerBound) to \(range.upperBound)"
    guard change.isValid(in: range) else {
      throw .usage("there is no such level\nit goes from \(bounds)")
    }
    guard now != nil || !change.isStep else {
      throw .unavailable("the level is unknown\nset it to a number, \(bounds), first")
    }
    return change.level(from: now ?? range.lowerBound, in: range)
  }
}
