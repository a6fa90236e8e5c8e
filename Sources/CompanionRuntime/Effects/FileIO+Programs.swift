internal import EventLoop

extension FileIO {
  /// The lane for starting other programs, which a user's path on a hanging mount must not delay.
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
