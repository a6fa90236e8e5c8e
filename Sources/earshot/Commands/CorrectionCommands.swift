import ArgumentParser
import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Sharing

/// The command group `earshot correction`.
///
/// A correction makes the sound of a model neutral. The program's table has 5,173 of them; a file
/// of the user's can replace it.
struct CorrectionCommand: AsyncParsableCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["corrections", "correct", "autoeq"]

  static let configuration = CommandConfiguration(
    commandName: "correction",
    abstract: "Make the headphone neutral by a measured correction.",
    discussion: """
      It is applied in the headphone's own equaliser where it has free bands, else on this \
      computer, by PipeWire, while the screen or `earshot agent` runs.

      EXAMPLES:
        earshot correction
        earshot correction on
        earshot correction find wh-1000xm4
        earshot correction use "Sony WH-1000XM4 (ANC on)"
        earshot correction strength 60
      """,
    subcommands: [
      CorrectionShowCommand.self, CorrectionOnCommand.self, CorrectionOffCommand.self,
      CorrectionFindCommand.self, CorrectionUseCommand.self, CorrectionFileCommand.self,
      CorrectionStrengthCommand.self, CorrectionBassCommand.self, CorrectionPlaceCommand.self,
    ],
    defaultSubcommand: CorrectionShowCommand.self)

  @ParentCommand var root: Earshot
}

protocol CorrectionSubcommand: ReportingCommand {
  var parent: CorrectionCommand { get }
}

extension CorrectionSubcommand {
  var root: Earshot { parent.root }
}

/// A command that changes the correction of a headphone and prints the result.
///
/// The headphone is connected if its equaliser may apply the correction.
protocol CorrectionChangeCommand: CorrectionSubcommand, SharedCommand {
  @MainActor
  func changes(in context: CommandContext) async throws(CommandError) -> [CorrectionChange]
}

extension CorrectionChangeCommand {
  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let changes = try await changes(in: context)
    let target = target(in: context)
    try target.chooseKnown(selector(in: context))
    let link = target.correctionLink(for: changes)
    if link != .unneeded {
      do throws(CommandError) {
        return try await withHeadphone(in: context) { headphone throws(CommandError) in
          try await headphone.correct(changes)
        }
      } catch {
        // The headphone's bands, if any, cannot be reached: the correction is applied on this
        // computer.
        guard link == .wanted, target.headphone != nil else { throw error }
      }
    }
    context.console.data(try await target.correct(changes), asJSON: options.json)
  }
}

struct CorrectionShowCommand: CorrectionSubcommand, ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the correction of a headphone.",
    discussion: """
      EXAMPLES:
        earshot correction
        earshot correction show --json
      """)

  @ParentCommand var parent: CorrectionCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    let target = target(in: context)
    let selector = selector(in: context)
    try target.chooseKnown(selector)
    guard target.headphone != nil else { throw .notKnown(selector: selector) }
    return try await target.correction()
  }
}

struct CorrectionOnCommand: CorrectionChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "on", abstract: "Switch the correction on.",
    discussion: """
      EXAMPLES:
        earshot correction on
        earshot correction on --device aurora
      """)

  @ParentCommand var parent: CorrectionCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func changes(in context: CommandContext) -> [CorrectionChange] { [.on(true)] }
}

struct CorrectionOffCommand: CorrectionChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Switch the correction off.",
    discussion: """
      The headphone's equaliser gets back the gains from before the correction.

      EXAMPLES:
        earshot correction off
      """)

  @ParentCommand var parent: CorrectionCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func changes(in context: CommandContext) -> [CorrectionChange] { [.on(false)] }
}

struct CorrectionFindCommand: CorrectionSubcommand, LocalCommand, SynonymousCommand {
  static let synonyms: [Synonym] = [
    .init("correction list", as: "WORDS", isSuggested: true),
    .init("correction *", as: "*", isSuggested: true),
  ]

  static let configuration = CommandConfiguration(
    commandName: "find", abstract: "Search the table; needs no headphone.",
    discussion: """
      EXAMPLES:
        earshot correction find wh-1000xm4
        earshot correction find sennheiser 650 --json
      """)

  @Argument(help: "Words of the maker and the model, in any order.")
  var words: [String]

  @ParentCommand var parent: CorrectionCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() async throws(CommandError) -> (any Report)? {
    let text = words.joined(separator: " ")
    let found = await FileIO.shared.run { CorrectionTable.bundled().search(text, atMost: 1000) }
    guard !found.isEmpty || options.json else {
      throw .unavailable("the table has no \"\(displayable(text))\"\ntry fewer words")
    }
    return CorrectionsReport(found)
  }
}

struct CorrectionUseCommand: CorrectionChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Choose a line of the table, and switch it on.",
    discussion: """
      auto is the model that the headphone certainly is.

      EXAMPLES:
        earshot correction use "Sony WH-1000XM4"
        earshot correction use auto
      """)

  @Argument(help: "Its name, words that no other line has, or auto.")
  var name: [String]

  @ParentCommand var parent: CorrectionCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func changes(in context: CommandContext) async throws(CommandError) -> [CorrectionChange] {
    let words = name.joined(separator: " ")
    guard words != "auto" else { return [.line(nil), .on(true)] }
    return [.line(try await CorrectionTable.line(named: words).name), .on(true)]
  }
}

/// The command `earshot correction file`, which reports a mistake's line before anything changes.
struct CorrectionFileCommand: CorrectionChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "file", abstract: "Use a file of AutoEq or EqualizerAPO, and switch it on.",
    discussion: """
      Filters, or a GraphicEQ, which becomes filters. The file is read again at each start.

      EXAMPLES:
        earshot correction file "HD 600 ParametricEQ.txt"
      """)

  @Argument(help: "The file, such as AutoEq's ParametricEQ.txt.", completion: .file())
  var file: String

  @ParentCommand var parent: CorrectionCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func changes(in context: CommandContext) async throws(CommandError) -> [CorrectionChange] {
    let path = context.path(file)
    _ = try await ParametricEQFile.load(path)
    return [.file(path), .on(true)]
  }
}

struct CorrectionStrengthCommand: CorrectionChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "strength", abstract: "Apply a part of the correction.",
    discussion: """
      EXAMPLES:
        earshot correction strength 60
      """)

  @Argument(help: "%, 0 to 100.", transform: PercentArgument.parse)
  var percent: PercentArgument

  @ParentCommand var parent: CorrectionCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func changes(in context: CommandContext) -> [CorrectionChange] { [.strength(percent.percent)] }
}

struct CorrectionBassCommand: CorrectionChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "bass", abstract: "Raise or lower the bass, to taste.",
    discussion: """
      A shelf below 105 Hz; the whole becomes quieter by as much as it needs not to clip.

      EXAMPLES:
        earshot correction bass 2.5
        earshot correction bass -3
      """)

  @Argument(
    help: "dB, -6 to 6 in steps of 0.5.", transform: BassArgument.parse)
  var gain: BassArgument

  @ParentCommand var parent: CorrectionCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func changes(in context: CommandContext) -> [CorrectionChange] { [.bass(gain.gain)] }
}

struct CorrectionPlaceCommand: CorrectionChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "place", abstract: "Choose where the correction is applied.",
    discussion: """
      auto is the headphone if it has equaliser bands, else this computer.

      EXAMPLES:
        earshot correction place computer
      """)

  @Argument(
    help: "auto, headphone or computer.",
    completion: .list(CorrectionChoice.Place.allCases.map(\.rawValue)),
    transform: PlaceArgument.parse)
  var place: PlaceArgument

  @ParentCommand var parent: CorrectionCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func changes(in context: CommandContext) -> [CorrectionChange] { [.place(place.place)] }
}

struct PercentArgument: ExplainedArgument {
  static let usage = "it takes a whole number of percent, 0 to 100"

  let percent: Int

  init?(argument: String) {
    let digits = argument.hasSuffix("%") ? String(argument.dropLast()) : argument
    guard let percent = Int(digits), (0...100).contains(percent) else { return nil }
    self.percent = percent
  }
}

struct BassArgument: ExplainedArgument {
  static let usage = "it takes dB from -6 to 6, in steps of 0.5"

  let gain: BandGain

  init?(argument: String) {
    guard let decibels = Double(argument.withHyphen), (-6...6).contains(decibels) else {
      return nil
    }
    gain = BandGain(decibels: decibels)
  }
}

struct PlaceArgument: ExplainedArgument {
  static let usage = "it takes auto, headphone or computer"

  let place: CorrectionChoice.Place

  init?(argument: String) {
    guard let place = CorrectionChoice.Place(rawValue: argument.lowercased()) else { return nil }
    self.place = place
  }
}
