import ArgumentParser
import CompanionRuntime
import Configuration

/// A command that a running `earshot` can do for others.
///
/// The program that owns the link runs it with ``Visit/current`` set.
protocol SharedCommand: ReportingCommand {
  /// What doing it a second time does, where an owner may have done it.
  var repetition: CommandProgress.Repetition { get }
  var course: CommandCourse { get }
  /// Whether it owns the link itself where no other process does.
  var keepsLink: Bool { get }
}

/// How a command goes on once it has begun.
enum CommandCourse {
  /// It writes when all is done.
  case answer
  /// It writes while it goes on.
  case stream
  /// It goes on for as long as there is an owner.
  case endless
}

extension SharedCommand {
  var repetition: CommandProgress.Repetition { .harmless }
  var course: CommandCourse { .answer }
  var keepsLink: Bool { false }

  /// Lets the process that owns the link do this command, and goes on as the owner if there is none
  /// or none is left.
  ///
  /// - Throws: the exit code with which it ended there.
  @MainActor
  func sendToOwner(
    at place: MeetingPlace?, orOwn own: @MainActor (Doorway?) async throws -> Void
  ) async throws {
    while true {
      switch await Standing.find(at: place) {
      case .guest(let channel):
        await channel.close()
        if try await sendToOwner() { return }
      case .owner(let doorway): return try await own(doorway)
      }
    }
  }

  /// Lets the process that owns the link do this command; false: there is none.
  ///
  /// - Throws: the exit code with which it ended there.
  @MainActor
  func sendToOwner() async throws -> Bool { try await leaveToOwner() == .nothing }

  /// Lets the process that owns the link do this command; what is left of it for this process.
  ///
  /// - Throws: the exit code with which it ended there.
  @MainActor
  func leaveToOwner() async throws -> CommandProgress.Rest {
    guard Visit.current == nil, let channel = options.meetingPlace?.connect() else {
      return .everything(word: nil)
    }
    guard options.capture != nil else { return try await errand(on: channel) }
    var rest = CommandProgress.Rest.nothing
    try await wired { wiring throws(CommandError) in
      guard wiring.capturesAll else {
        throw .unavailable(
          "another earshot has the link, and only CAP_NET_RAW lets this one see its traffic; "
            + "end it, or start it with --capture")
      }
    } then: {
      rest = try await errand(on: channel)
    }
    return rest
  }

  /// Goes from owner to owner until one has done it, or none is left.
  @MainActor
  private func errand(on first: LineChannel) async throws -> CommandProgress.Rest {
    if options.isVirtual { Output.message("these headphones are virtual") }
    var (channel, word) = (first, String?.none)
    while true {
      let errand = Errand(
        on: channel, word: word, limit: course == .endless ? nil : options.patience)
      switch await errand.run() {
      case .ended(.ok): return .nothing
      case .ended(let status): throw ExitCode(status.rawValue)
      case .lost(let loss): throw tell(.ownerLost(loss))
      case .left(let progress):
        let rest = progress.rest(of: repetition, isAnsweredOnce: course == .answer)
        switch rest {
        case .nothing: return rest
        case .unknown: throw tell(.ownerLost(OwnerLoss(.left, mayBeDone: true)))
        case .everything(let settled): word = settled ?? word
        }
        if keepsLink { return .everything(word: word) }
        // A place that this process takes is its own until it ends.
        guard case .guest(let next) = await Standing.find(at: options.meetingPlace) else {
          return .everything(word: word)
        }
        channel = next
      }
    }
  }

  /// A file that the command line names, wherever the command runs.
  func path(_ named: String) -> String { Visit.current?.path(named) ?? named }
}

extension CommonOptions {
  /// Where the processes that use the same adapter meet; nil: nowhere.
  var meetingPlace: MeetingPlace? {
    let configured = ConfigurationFile().read().configuration.connection.adapter
    return MeetingPlace(adapter: adapter ?? configured)
  }
}
