import ArgumentParser
import CompanionRuntime
import Configuration

/// A command that a running `earshot` can do for others.
///
/// It says what is to be done with an owner's link, and what without an owner;
/// ``share(visit:alone:)`` knows which of the two it comes to.
protocol SharedCommand: ReportingCommand {
  /// What doing it a second time does, where an owner may have done it.
  var repetition: CommandProgress.Repetition { get }
  var course: CommandCourse { get }
  /// Whether it links with a headphone itself where no other process does.
  var needsLink: Bool { get }
  /// Where it meets the owner; nil: it has nothing to do with one.
  var place: MeetingPlace? { get }
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
  var needsLink: Bool { true }
  var place: MeetingPlace? { options.meetingPlace }

  /// Does the command where the link is: in the process that owns it, or else in this one.
  ///
  /// - Parameters:
  ///   - visit: does it in the owner, for the process that a visit is from.
  ///   - alone: does it in this process, which lets go of the link then; others wait meanwhile.
  @MainActor
  func share(
    visit: @MainActor (Visit) async throws(CommandError) -> Void,
    alone: @MainActor (Wiring) async throws(CommandError) -> Void
  ) async throws {
    try await share(visit: visit) { turn in
      try await turn.whileOthersWait {
        try await wired { wiring throws(CommandError) in try await alone(wiring) }
      }
    }
  }

  /// Does the command where the link is: in the process that owns it, or else in this one.
  ///
  /// - Parameters:
  ///   - visit: does it in the owner, for the process that a visit is from.
  ///   - own: goes on as the owner.
  @MainActor
  func share(
    visit: @MainActor (Visit) async throws(CommandError) -> Void,
    own: @MainActor (Turn) async throws -> Void
  ) async throws {
    guard let current = Visit.current else {
      if let turn = try await turn() { try await own(turn) }
      return
    }
    if options.isVirtual { Output.message("these headphones are virtual") }
    do throws(CommandError) { try await visit(current) } catch { throw tell(error) }
  }

  /// Goes from owner to owner until one has done it, or it is this process's turn.
  ///
  /// - Returns: nil: it is done.
  /// - Throws: the exit code with which it ended there.
  @MainActor
  private func turn() async throws -> Turn? {
    var word: String?
    while true {
      let channel: LineChannel
      switch await standing() {
      case .guest(let owner): channel = owner
      case .owner(let doorway): return Turn(doorway: doorway, word: word)
      }
      let errand = Errand(
        on: channel, word: word, limit: course == .endless ? nil : options.patience,
        waitsItsTurn: needsLink)
      switch try await ending(of: errand) {
      case .ended(.ok): return nil
      case .ended(let status): throw ExitCode(status.rawValue)
      case .busy: return Turn(doorway: nil, word: word)
      case .lost(let loss): throw tell(.ownerLost(loss))
      case .left(let progress):
        switch progress.rest(of: repetition, isAnsweredOnce: course == .answer) {
        case .nothing: return nil
        case .unknown: throw tell(.ownerLost(OwnerLoss(.left, mayBeDone: true)))
        case .everything(let settled): word = settled ?? word
        }
      }
    }
  }

  /// Who needs no link keeps nobody from having it.
  @MainActor
  private func standing() async -> Standing {
    if needsLink { return await Standing.find(at: place) }
    return place?.connect().map(Standing.guest) ?? .owner(nil)
  }

  @MainActor
  private func ending(of errand: Errand) async throws -> Errand.Ending {
    guard options.capture != nil else { return await errand.run() }
    var ending = Errand.Ending.left(CommandProgress())
    try await wired { wiring throws(CommandError) in
      guard wiring.capturesAll else {
        throw .unavailable(
          "another earshot has the link, and only CAP_NET_RAW lets this one see its traffic; "
            + "end it, or start it with --capture")
      }
    } then: {
      ending = await errand.run()
    }
    return ending
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
