import ArgumentParser
import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Sharing

/// Measured corrections: `earshot correction`.
///
/// A correction makes a model neutral. The table of the program has 5,173 of them; a file of one's own takes its place.
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

/// A command below `correction`.
protocol CorrectionSubcommand: ReportingCommand {
  /// The group, which leads to the program's options.
  var parent: CorrectionCommand { get }
}

extension CorrectionSubcommand {
  var root: Earshot { parent.root }
}

/// A command that changes what is wanted of a headphone's correction, and writes what it is then.
///
/// The headphone is connected where its own equaliser may have the correction.
protocol CorrectionChangeCommand: CorrectionSubcommand, SharedCommand {
  /// What is changed.
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
        // Its own bands, if it has any, are out of reach: it is corrected on this computer.
        guard link == .wanted, target.headphone != nil else { throw error }
      }
    }
    context.console.data(try await target.correct(changes), asJSON: options.json)
  }
}

/// The correction as it is: `earshot correction`.
///
/// Prints the correction and whether it is heard. Exit status 4 if no headphone is known.
///
/// ```
/// $ earshot correction
/// Correction  on
/// Measured    Sony WH-1000XM4, measured by oratory1990
/// Heard       the sound goes through it
/// ```
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

/// The correction switched on: `earshot correction on`.
///
/// Exit status: 1 if no line of the table is certain or it cannot be applied, 4, 5 and 6 as usual.
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

/// The correction switched off: `earshot correction off`; the headphone's own equaliser is as before.
struct CorrectionOffCommand: CorrectionChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "off", abstract: "Switch the correction off.",
    discussion: """
      The headphone's own equaliser is as it was before.

      EXAMPLES:
        earshot correction off
      """)

  @ParentCommand var parent: CorrectionCommand
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func changes(in context: CommandContext) -> [CorrectionChange] { [.on(false)] }
}

/// The table searched: `earshot correction find`.
///
/// Prints a line for each that has all the words. Exit status 1 if there is none.
struct CorrectionFindCommand: CorrectionSubcommand, LocalCommand {
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

/// A line of the table chosen: `earshot correction use`.
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

/// A person's own file in place of the table: `earshot correction file`.
///
/// A mistake in the file is reported with its line before anything changes.
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

/// How much of the correction is applied: `earshot correction strength`.
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

/// More or less bass besides: `earshot correction bass`.
struct CorrectionBassCommand: CorrectionChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "bass", abstract: "Raise or lower the bass besides, to taste.",
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

/// Where it is applied: `earshot correction place`.
struct CorrectionPlaceCommand: CorrectionChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "place", abstract: "Choose where the correction is applied.",
    discussion: """
      auto is the headphone where it has bands of its own, else this computer.

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

/// A percentage.
struct PercentArgument: ExplainedArgument {
  static let usage = "it takes a whole number of percent, 0 to 100"

  let percent: Int

  init?(argument: String) {
    let digits = argument.hasSuffix("%") ? String(argument.dropLast()) : argument
    guard let percent = Int(digits), (0...100).contains(percent) else { return nil }
    self.percent = percent
  }
}

/// The gain of the bass shelf.
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

/// A place of a correction.
struct PlaceArgument: ExplainedArgument {
  static let usage = "it takes auto, headphone or computer"

  let place: CorrectionChoice.Place

  init?(argument: String) {
    guard let place = CorrectionChoice.Place(rawValue: argument.lowercased()) else { return nil }
    self.place = place
  }
}
