internal import EventLoop
internal import Glibc

/// Lines of text that are typed on a terminal or arrive in a pipe.
///
/// Several lines may arrive in one read, for example when they are pasted: those that are not asked
/// for yet are kept.
///
/// Reading does not block the main thread: the poll loop says when there is something.
@MainActor
public final class LineReader {
  /// Bytes; what follows in a longer line counts as a line of its own.
  private static let longest = 1 << 16

  private let descriptor: Int32
  private var buffer = LineBuffer()
  private var hasEnded = false

  /// - Parameter descriptor: stays open when the reader goes.
  public init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The next line, without its end; nil at the end of the input, or if the task is cancelled.
  public func next() async -> String? {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while !hasEnded {
      if let line = buffer.next() { return String(decoding: line, as: UTF8.self) }
      guard buffer.count < Self.longest else { break }
      do throws(SystemCallError) {
        try await PollLoop.shared.readable(descriptor)
      } catch {
        return nil
      }
      switch systemCall({ read(descriptor, &chunk, chunk.count) }) {
      case .done(let count) where count > 0: buffer.append(chunk[..<count])
      case .wouldBlock: continue
      case .done, .failed: hasEnded = true
      }
    }
    let rest = buffer.rest()
    return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
  }
}
