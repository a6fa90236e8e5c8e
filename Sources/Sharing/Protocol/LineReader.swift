internal import EventLoop
internal import Glibc

/// A reader of lines that are typed on a terminal or arrive in a pipe.
///
/// Lines that arrive together, as when pasted, are kept until requested. Reading does not block the
/// main thread.
@MainActor
package final class LineReader {
  /// The maximum length in bytes; the rest of a longer line counts as a separate line.
  private static let longest = 1 << 16

  private let descriptor: Int32
  private var buffer = LineBuffer()
  private var hasEnded = false

  /// Creates a reader of `descriptor`, which stays open when the reader is released.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Returns the next line, without its end, or nil at the end of the input or on cancellation.
  package func next() async -> String? {
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

/// The bytes of a stream, consumed line by line.
struct LineBuffer: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0
  /// The index up to which no line end was found after `start`.
  private var searched = 0

  var count: Int { bytes.count - start }

  mutating func append(_ read: ArraySlice<UInt8>) {
    bytes.removeSubrange(..<start)
    searched -= start
    start = 0
    bytes += read
  }

  /// Returns the next complete line, without its end, if there is one.
  mutating func next() -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: Self.newline) else {
      searched = bytes.count
      return nil
    }
    defer { (start, searched) = (end + 1, end + 1) }
    return Array(bytes[start..<end])
  }

  /// Returns what follows the last complete line, at the end of the stream.
  mutating func rest() -> [UInt8] {
    defer { self = LineBuffer() }
    return Array(bytes[start...])
  }

  static let newline = UInt8(ascii: "\n")
}
