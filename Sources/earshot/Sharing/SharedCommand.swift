import ArgumentParser
import Bluetooth
import CompanionRuntime
import Configuration

/// A command that a running `earshot` can do for others.
///
/// It says what is to be done with an owner's link, and what without an owner;
/// ``share(client:alone:)`` knows which of the two it comes to.
protocol SharedCommand: ReportingCommand {
  /// What doing it a second time does, where an owner may have done it.
  var repetition: CommandRetryState.Repetition { get }
  var course: CommandLifetime { get }
  /// Whether it links with a headphone itself where no other process does.
  var needsLink: Bool { get }
  /// Where it meets the owner; nil: it has nothing to do with one.
  var place: OwnerEndpoint? { get }
}

/// How a command goes on once it has begun.
enum CommandLifetime {
  /// It writes when all is done.
  case answer
  /// It writes while it goes on.
  case stream
  /// It goes on for as long as there is an owner.
  case endless
}

extension SharedCommand {
  var repetition: CommandRetryState.Repetition { .harmless }
  var course: CommandLifetime { .answer }
  var needsLink: Bool { true }
  var place: OwnerEndpoint? { options.meetingPlace }

  /// Does the command where the link is: in the process that owns it, or else in this one.
  ///
  /// - Parameters:
  ///   - visit: does it in the owner, for the process that a visit is from.
  ///   - alone: does it in this process, which lets go of the link then; others wait meanwhile.
  @MainActor
  func share(
    client: @MainActor (ClientRequest) async throws(CommandError) -> Void,
    alone: @MainActor (LiveDependencies) async throws(CommandError) -> Void
  ) async throws {
    try await share(client: client) { turn in
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
    client: @MainActor (ClientRequest) async throws(CommandError) -> Void,
    own: @MainActor (Ownership) async throws -> Void
  ) async throws {
    guard let current = ClientRequest.current else {
      if let turn = try await turn() { try await own(turn) }
      return
    }
    if options.isVirtual { Output.message("these headphones are virtual") }
    do throws(CommandError) { try await client(current) } catch { throw exitCode(for: error) }
  }

  /// Goes from owner to owner until one has done it, or it is this process's turn.
  ///
  /// - Returns: nil: it is done.
  /// - Throws: the exit code with which it ended there.
  @MainActor
  private func turn() async throws -> Ownership? {
    var word: String?
    while true {
      let channel: LineConnection
      switch await role() {
      case .client(let owner): channel = owner
      case .owner(let listener): return Ownership(listener: listener, word: word)
      case nil: throw report(.ownerLost(OwnerUnavailable(.silent(nil), mayBeDone: false)))
      }
      let remoteCommand = RemoteCommand(
        on: channel, word: word, limit: course == .endless ? nil : options.timeLimit,
        waitsItsTurn: needsLink)
      switch try await ending(of: remoteCommand) {
      case .ended(.ok): return nil
      case .ended(let status): throw ExitCode(status.rawValue)
      case .busy: return Ownership(listener: nil, word: word)
      case .lost(let loss): throw exitCode(for: .ownerLost(loss))
      case .left(let progress):
        switch progress.rest(of: repetition, isAnsweredOnce: course == .answer) {
        case .nothing: return nil
        case .unknown: throw exitCode(for: .ownerLost(OwnerUnavailable(.left, mayBeDone: true)))
        case .everything(let settled): word = settled ?? word
        }
      }
    }
  }

  /// Commands that need no link never take ownership.
  @MainActor
  private func role() async -> OwnerEndpoint.Role? {
    guard let place else { return .owner(nil) }
    if needsLink {
      return await place.join(within: course == .endless ? nil : options.timeLimit)
    }
    return place.connect().map(OwnerEndpoint.Role.client) ?? .owner(nil)
  }

  @MainActor
  private func ending(of remoteCommand: RemoteCommand) async throws -> RemoteCommand.Ending {
    guard options.capture != nil else { return await remoteCommand.run() }
    var ending = RemoteCommand.Ending.left(CommandRetryState())
    try await wired { wiring throws(CommandError) in
      guard wiring.capturesAll else {
        throw .unavailable(
          "another earshot has the link, and only CAP_NET_RAW lets this one see its traffic; "
            + "end it, or start it with --capture")
      }
    } then: {
      ending = await remoteCommand.run()
    }
    return ending
  }

  /// A file that the command line names, wherever the command runs.
  func path(_ named: String) -> String { ClientRequest.current?.path(named) ?? named }
}

extension CommonOptions {
  /// Where the processes that use the same adapter meet; nil: nowhere.
  var meetingPlace: OwnerEndpoint? {
    let configured = ConfigurationFile().read().configuration.connection.adapter
    return OwnerEndpoint(adapter: adapter ?? configured)
  }
}
