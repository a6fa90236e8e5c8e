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
