internal import EventLoop

extension FileIO {
  /// The lane on which other programs are started.
  ///
  /// It is separate so that a user's path on a mount that hangs cannot delay them.
  private static let programs = FileIO(threadName: "earshot-programs")

  static func startingPrograms<Value: Sendable, Failure>(
    _ work: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let outcome = await $named.withValue(programs) { () async -> Result<Value, Failure> in
      do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
    }
    return try outcome.get()
  }
}
