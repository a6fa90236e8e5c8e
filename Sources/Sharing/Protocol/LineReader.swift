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

/// Bytes of a stream, taken out line by line.
///
/// Each byte is looked at once, however the stream is cut into reads.
///
/// ```swift
/// var buffer = LineBuffer()
/// buffer.append(Array("one\ntw".utf8)[...])
/// buffer.next()     // "one"
/// buffer.next()     // nil
/// ```
struct LineBuffer: Sendable {
  private var bytes: [UInt8] = []
  /// The first byte of the next line.
  private var start = 0
  /// The first byte that may be the end of that line.
  private var searched = 0

  /// Bytes that belong to no complete line, or to lines not taken yet.
  var count: Int { bytes.count - start }

  /// Adds what was read.
  mutating func append(_ read: ArraySlice<UInt8>) {
    bytes.removeSubrange(..<start)
    searched -= start
    start = 0
    bytes += read
  }

  /// Takes the next complete line, without its end; nil: there is none yet.
  mutating func next() -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: Self.newline) else {
      searched = bytes.count
      return nil
    }
    defer { (start, searched) = (end + 1, end + 1) }
    return Array(bytes[start..<end])
  }

  /// Takes what follows the last complete line, at the end of the stream.
  mutating func rest() -> [UInt8] {
    defer { self = LineBuffer() }
    return Array(bytes[start...])
  }

  static let newline = UInt8(ascii: "\n")
}
