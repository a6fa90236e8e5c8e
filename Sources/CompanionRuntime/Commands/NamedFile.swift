package import EventLoop
internal import Persistence

extension FileIO {
  package static let namedFileTimeout = Duration.seconds(10)

  /// Reads or writes a file that the user has named, on the lane for such files.
  ///
  /// After the time limit `work` continues, but its result is lost.
  package nonisolated func open<Value: Sendable>(
    _ path: String, within limit: Duration = FileIO.namedFileTimeout,
    _ work: @escaping @Sendable () throws(CommandError) -> Value
  ) async throws(CommandError) -> Value {
    let result = await run(within: limit) { () -> Result<Value, CommandError> in
      do throws(CommandError) { return .success(try work()) } catch { return .failure(error) }
    }
    guard let result else { throw .file(.stalled(path: path)) }
    return try result.get()
  }
}
