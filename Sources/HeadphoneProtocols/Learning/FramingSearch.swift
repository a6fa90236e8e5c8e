internal import BluetoothCodec

/// A search for the framing of a protocol that nobody has described: marker, length and checksum of
/// the kinds that other makers use.
///
/// Each piece is taken for one message, as programs mostly write them. A length is one that fits at
/// least two lengths of messages, and a checksum one that fits nine messages of ten.
struct FramingSearch {
  /// The messages that are looked at: more of them prove no more.
  private static let most = 200
  private static let longestMarker = 3
  /// How far behind the marker a length is looked for, in bytes.
  private static let farthest = 8
  private static let checks: [FrameFormat.Check] =
    [.crc32]
    + (0...4).flatMap { skipped in
      [true, false].map { .xmodem(skipping: skipped, isBigEndian: $0) }
    } + [.sum(includesMarker: true), .sum(includesMarker: false)]

  private let pieces: [Bytes]
  /// The beginning that all have.
  private let common: [UInt8]

  /// - Parameter pieces: of one direction.
  init(_ pieces: [Bytes]) {
    self.pieces = Array(pieces.prefix(Self.most))
    let first = pieces.first.map { Array($0.prefix(Self.longestMarker)) } ?? []
    common = pieces.reduce(first) { common, piece in
      Array(zip(common, piece).prefix { $0 == $1 }.map(\.0))
    }
  }

  /// The framing with the longest checksum, then the longest marker; nil: none fits.
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

  /// The formats without a checksum whose length fits, behind a marker of so many bytes.
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

  /// Whether nine messages of ten are frames of a format.
  private func fits(_ format: FrameFormat) -> Bool {
    let fitting = pieces.filter { (try? format.content(of: $0, "frame")) != nil }
    return fitting.count * 10 >= pieces.count * 9 && Set(fitting.map(\.count)).count > 1
  }
}

extension [Int] {
  /// The most frequent number; nil: there is none.
  fileprivate var mode: Int? {
    Dictionary(grouping: self) { $0 }.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?
      .key
  }
}
