import CompanionRuntime

/// That no other process has the link, so that a command does itself what is left of it.
struct Ownership {
  /// By which others would come in; nil: nobody can.
  let listener: OwnerListener?
  /// What an owner before made of the step that is asked for; nil: none has begun it.
  let word: String?

  /// Does `work`, and lets those who come meanwhile wait until it has ended.
  @MainActor
  func whileOthersWait(_ work: @MainActor () async throws -> Void) async throws {
    if let listener { Task { await listener.keepWaiting() } }
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await ResolvedArgument.$word.withValue(word) { try await work() })
    } catch {
      outcome = .failure(error)
    }
    await listener?.close()
    try outcome.get()
  }
}
