internal import EventLoop

extension FileIO {
  /// The lane on which other programs are started, which may be anywhere, too.
  ///
  /// A path that a person has named, on a mount that hangs, must not keep them from starting.
  private static let programs = FileIO(threadName: "earshot-programs")

  /// Runs `work`, which starts programs on their lane.
  static func startingPrograms<Value: Sendable, Failure>(
    _ work: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let outcome = await $named.withValue(programs) { () async -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
    }
    return try outcome.get()
  }
}
