internal import BluetoothCodec

/// A search for the marker, length and checksum of an unknown protocol.
///
/// It tries the kinds of known makers. Each piece counts as a message, since most programs write
/// whole messages. The length must fit messages of at least two lengths, and the checksum must fit
/// nine of ten messages.
struct FramingSearch {
  /// The maximum number of messages to consider; more would not improve the result.
  private static let most = 200
  private static let longestMarker = 3
  /// The maximum distance of the length from the marker, in bytes.
  private static let farthest = 8
  private static let checks: [FrameFormat.Check] =
    [.crc32]
    + (0...4).flatMap { skipped in
      [true, false].map { .xmodem(skipping: skipped, isBigEndian: $0) }
    } + [.sum(includesMarker: true), .sum(includesMarker: false)]

  private let pieces: [Bytes]
  private let common: [UInt8]

  init(_ pieces: [Bytes]) {
    self.pieces = Array(pieces.prefix(Self.most))
    let first = pieces.first.map { Array($0.prefix(Self.longestMarker)) } ?? []
    common = pieces.reduce(first) { common, piece in
      Array(zip(common, piece).prefix { $0 == $1 }.map(\.0))
    }
  }

  /// The framing with the longest checksum, then the longest marker, or nil if none fits.
  var format: FrameFormat? {
    guard Set(pieces.map(\.count)).count > 1 else { return nil }
    let found = (0...common.count).reversed().lazy.flatMap { lengths(behind: $0) }
    let checked = found.map { format in
      Self.checks.lazy.map { check -> FrameFormat in
        var checked = format
        checked.check = check
        return checked
      }.first(where: fits) ?? format
    }
    let all = Array(checked.prefix(Self.mostFormats))
    return all.max { $0.check.width < $1.check.width } ?? nil
  }
  private static let mostFormats = 40

  /// Returns a format with the other direction's marker, or nil if it does not fit the messages.
  ///
  /// Requests often all have one length, which alone proves no framing.
  func format(like other: FrameFormat) -> FrameFormat? {
    var format = other
    format.marker = Array(common.prefix(other.marker.count))
    format.longest = max(other.longest, pieces.map(\.count).max() ?? 0)
    let isOther = format.marker.count == other.marker.count
    return isOther && isMostly(format) ? format : nil
  }

  /// Returns the formats whose length fits after a marker of this many bytes, without a checksum.
  private func lengths(behind marker: Int) -> [FrameFormat] {
    let longest = pieces.map(\.count).max() ?? 0
    return (0..<Self.farthest).flatMap { offset in
      [(1, false), (2, true), (2, false)].compactMap { width, isBigEndian -> FrameFormat? in
        let length = FrameFormat.LengthField(
          at: offset, width: width, isBigEndian: isBigEndian, adding: 0)
        let differences = pieces.compactMap { piece in
          length.total(in: piece.dropFirst(marker)).map { piece.count - $0 }
        }
        guard let most = differences.mode, most >= 0, most <= Self.farthest + 8 else { return nil }
        var fitting = length
        fitting.overhead = most
        let format = FrameFormat(
          marker: Array(common.prefix(marker)), length: fitting, longest: longest)
        return fits(format) ? format : nil
      }
    }
  }

  private func fits(_ format: FrameFormat) -> Bool {
    isMostly(format) && Set(fitting(format).map(\.count)).count > 1
  }

  private func isMostly(_ format: FrameFormat) -> Bool {
    fitting(format).count * 10 >= pieces.count * 9
  }

  private func fitting(_ format: FrameFormat) -> [Bytes] {
    pieces.filter { (try? format.content(of: $0, "frame")) != nil }
  }
}

extension [Int] {
  fileprivate var mode: Int? {
    Dictionary(grouping: self) { $0 }.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?
      .key
  }
}
