import ArgumentParser
import BluetoothRadio
import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import JSON
import Sharing

/// The command `earshot watch`.
///
/// It reconnects a lost link, and moves from an owner that ends to the next one. Equal lines are
/// not repeated, and a slow reader gets only the newest.
struct WatchCommand: SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["monitor", "status --watch", "status -w"]

  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print a line for each change of a headphone.",
    discussion: """
      Each line is what `status --json` prints, or what a status bar takes. Continues until it is \
      interrupted; a lost link is reconnected.

      In a template, names in braces stand for values: name, id, state, left, right, case, battery \
      (the lower bud), charging, alarm, anc, mode (NC, TR, AD, off), level, eq, volume, wearing, \
      output, and the names of settings. {left|--} writes -- where the value is unknown.

      EXAMPLES:
        earshot watch
        earshot watch aurora | jq --unbuffered .battery.left
        earshot watch --format waybar
        earshot watch --format words
        earshot watch --format '{left|--}/{right|--} {mode}'
      """)

  @Argument(help: .headphone, completion: .headphones)
  var headphone: String?

  @Option(
    name: .shortAndLong, help: "json, waybar, polybar, tmux, i3blocks, plain, words, or a template."
  )
  var format = FormatArgument("json")

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var lifetime: CommandLifetime { .endless }
  /// Whether an owner may run the command; a capture needs a link of this process.
  var sharesLink: Bool { options.capture == nil }

  func validate() throws { _ = try format.checked }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    guard let format = try? format.checked else { return }
    await follow(in: context) { headphone, state in
      WatchLine(headphone, in: state, thresholds: state.preferences.thresholds)
    } text: {
      $0.text(format, after: $1)
    }
  }
}

extension SharedCommand {
  /// Prints a line for each change of one headphone, until the reader closes the pipe.
  ///
  /// Equal lines are printed once, and in a flood 60 lines per second. A headphone that is named is
  /// connected meanwhile.
  ///
  /// - Parameters:
  ///   - line: The value of a line, or nil to print nothing now.
  ///   - text: The text of the line after the one before, or empty to print nothing; created only
  ///     if the value differs from the last.
  @MainActor
  func follow<Line: Equatable>(
    in context: CommandContext, _ line: @escaping @MainActor (HeadphoneState, State) -> Line?,
    text: @escaping @MainActor (Line, Line?) -> String
  ) async {
    // The owner may be connected to another headphone only.
    let target = target(in: context)
    let selector = headphone ?? options.device
    let holding = selector.map { selector in
      Task { try? await target.hold(selector) }
    }
    context.store.send(.viewerOpened)
    defer { context.store.send(.viewerClosed) }
    let writing = Task {
      var last: (line: Line, text: String)?
      let timeline = ElapsedClock(MainLoop.clock)
      var pace = FloodPace()
      for await state in context.store.follow() {
        let followed =
          selector == nil
          ? state.headphoneOfCommands : selector.flatMap { state.headphones.named($0).only }
        guard let followed, let line = line(followed, state), line != last?.line else { continue }
        let (text, written) = (text(line, last?.line), last?.text)
        last = (line, text)
        if text == written || text.isEmpty { continue }
        // Only the newest state is kept meanwhile.
        if let delay = pace.delay(at: timeline.elapsed) {
          try? await MainLoop.clock.sleep(for: delay)
        }
        guard await context.console.deliver(text) else { break }
      }
    }
    // A client's process watches its reader itself.
    let reader =
      context.client == nil
      ? Task { if await StandardConsole.readerHasLeft() { writing.cancel() } } : nil
    await withTaskCancellationHandler {
      await writing.value
    } onCancel: {
      writing.cancel()
    }
    reader?.cancel()
    holding?.cancel()
    await holding?.value
  }
}

struct FormatArgument: ExpressibleByArgument {
  static let defaultCompletionKind = CompletionKind.list(allValueStrings)
  static let allValueStrings = WatchFormat.named.map(\.name)

  private let text: String

  init(_ text: String) { self.text = text }

  init?(argument: String) {
    guard argument.contains("{") || Self.allValueStrings.meant(by: argument) != nil else {
      return nil
    }
    text = argument
  }

  /// The parsed format; a mistake in a template throws a `ValidationError`.
  var checked: WatchFormat {
    get throws {
      let name = Self.allValueStrings.meant(by: text)
      if let named = WatchFormat.named.first(where: { $0.name == name }) { return named.format }
      do throws(WatchTemplate.Mistake) { return .template(try WatchTemplate(text)) } catch {
        throw ValidationError("\(error.what)\n\(error.advice)")
      }
    }
  }

  var defaultValueDescription: String { text }
}
