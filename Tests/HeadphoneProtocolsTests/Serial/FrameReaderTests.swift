import BluetoothCodec
import TestSupport
import Testing

@testable import HeadphoneProtocols

/// Frames in a byte stream, in formats with different parameters.
@Suite struct FrameReaderTests {
  /// Formats of each kind: escaped, with a length and an end or without, and with a variable
  /// length.
  static let formats: [FrameFormat] = [
    SonyFrame.format,
    FrameFormat(
      marker: [0xFD], length: .init(at: 0, width: 2, mask: 0x3FF, adding: 4),
      check: .xmodem(skipping: 3, isBigEndian: false), end: [0xDD], longest: 1027),
    FrameFormat(
      marker: [0x5A], length: .init(at: 0, width: 2, isBigEndian: true, adding: 5),
      check: .xmodem(skipping: 0, isBigEndian: true), longest: 1024),
    FrameFormat(
      marker: [0x7E], length: nil, check: .crc32, end: [0x7E],
      escape: .init(byte: 0x7D, values: [0x7D, 0x7E], bits: 0x20), longest: 2048),
    FrameFormat(
      marker: [0xAA], length: .init(at: 0, isVariable: true, adding: 3),
      check: .sum(includesMarker: true), longest: 1024),
  ]

  private static func content(_ format: FrameFormat, _ data: [UInt8]) -> [UInt8] {
    Array(repeating: 1, count: (format.length?.offset ?? 0) + (format.length?.width ?? 0)) + data
  }

  private static let data: [[UInt8]] = [
    [0x3C, 0x3D, 0x3E, 0x7D, 0x7E, 0xDD, 0xFD, 0x5A], [1, 2, 3], Array(repeating: 0x3C, count: 90),
    Array(repeating: 0x11, count: 200),
  ]

  @Test(arguments: formats)
  func `pieces of any size give the same frames`(_ format: FrameFormat) throws {
    let frames = Self.data.map { format.frame(around: Self.content(format, $0)) }
    let stream = frames.flatMap(\.self)
    for size in [1, 2, 3, 7, 64, stream.count] {
      var reader = FrameReader(format)
      var read: [Bytes] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        read += reader.messages(in: stream[start..<min(start + size, stream.count)])
      }
      #expect(read == frames.map { $0[...] })
    }
    for (frame, data) in zip(frames, Self.data) {
      #expect(try format.content(of: frame[...], "frame").suffix(data.count) == data[...])
    }
  }

  @Test(arguments: formats)
  func `garbage between frames costs nothing but itself`(_ format: FrameFormat) {
    let frames = Self.data.map { format.frame(around: Self.content(format, $0)) }
    let half = frames[0].prefix(5)
    let stream = [0x11, 0x22] + frames[0] + [0x99] + half + frames.dropFirst().joined()
    var reader = FrameReader(format)
    var read = reader.messages(in: stream[...])
    // A half frame may be one that goes on; what follows it shows that it does not.
    read += reader.messages(in: Array(repeating: 0, count: format.longest)[...])
    #expect(frames.allSatisfy { read.contains($0[...]) })
    #expect(read.first == [0x11, 0x22])
  }

  /// Formats whose length may be wrong: those with a marker and without an escape.
  static let counted: [(FrameFormat, [UInt8])] = [
    (GalaxyBudsFrame.format(.later), GalaxyBudsFrame(.later, 0x77, [1, 1]).encoded()),
    (GalaxyBudsFrame.format(.first), GalaxyBudsFrame(.first, 0x77, [1, 1]).encoded()),
    (HuaweiFrame.format, HuaweiFrame(0x0127, [.init(1, [80])]).encoded()),
    (
      SoundcoreFrame.format(of: .headphone),
      SoundcoreFrame(.headphone, SoundcoreCommand.battery, [3, 4]).encoded()
    ),
    (OppoFrame.format, OppoFrame(0x8106, sequence: 1, payload: [0, 1, 1, 80]).encoded()),
    (GAIAFrame.format, GAIAFrame(vendor: 0x001B, 0x8207, [0, 80, 80, 80, 0]).encoded()),
    (RedmiFrame.format, RedmiFrame(.report, 0x0E, sequence: 9, [4, 0, 80, 80, 80]).encoded()),
  ]

  @Test(arguments: counted)
  func `a length that lies does not keep back the frames behind it`(
    _ format: FrameFormat, _ frame: [UInt8]
  ) throws {
    // A frame that claims to be nearly the longest there is, and is cut off.
    let content = try Array(format.content(of: frame[...], "frame"))
    let padding = Array(repeating: UInt8(0), count: format.longest - frame.count - 4)
    let liar = Array(format.frame(around: content + padding).prefix(frame.count))
    for pieces in [[liar, frame], [liar, frame + frame], [liar.dropLast(2), frame, frame]] {
      var reader = FrameReader(format)
      let read = pieces.flatMap { reader.messages(in: $0[...]) }
      let sent = pieces.dropFirst().joined().count / frame.count
      #expect(read.filter { $0 == frame[...] }.count == sent)
      #expect(reader.messages(in: frame[...]) == [frame[...]])
    }
    // A long frame that is true is waited for, whatever stands in it.
    let long = format.frame(around: liar.dropFirst(format.marker.count) + Self.filling(frame))
    var reader = FrameReader(format)
    let middle = long.count / 2
    #expect(reader.messages(in: long[..<middle]).isEmpty)
    #expect(reader.messages(in: long[middle...]) == [long[...]])
  }

  /// Returns bytes that contain beginnings of frames.
  private static func filling(_ frame: [UInt8]) -> [UInt8] {
    Array((frame.dropLast() + frame.prefix(4) + [0]).prefix(60))
  }

  @Test(arguments: formats)
  func `a wrong checksum or a length beyond the limit is no frame`(_ format: FrameFormat) {
    var frame = format.frame(around: Self.content(format, [1, 2, 3]))
    let middle = frame.count - format.end.count - format.check.width - 1
    frame[middle] ^= 0x01
    #expect(throws: MalformedBytes.self) { try format.content(of: frame[...], "frame") }
    let long = format.frame(around: Self.content(format, Array(repeating: 0, count: 4000)))
    #expect(throws: MalformedBytes.self) { try format.content(of: long[...], "frame") }
    var reader = FrameReader(format)
    #expect(reader.messages(in: long[...]).allSatisfy { $0.count <= 32 })
  }

  @Test(arguments: formats)
  func `mutated streams are read in bounded work, and what is read is whole`(_ format: FrameFormat)
  {
    var generator = SeededGenerator(seed: 0x3E)
    let frames = Self.data.map { format.frame(around: Self.content(format, $0)) }
    var reader = FrameReader(format)
    var whole = 0
    let rounds = Thoroughness.rounds(5_000, thorough: 100_000)
    for round in 0..<rounds {
      let piece = frames[round % frames.count].prefix(40).map(\.self).mutated(by: &generator)
      for message in reader.messages(in: piece[...]) {
        guard (try? format.content(of: message, "frame")) != nil else {
          if message.count > 32 { Issue.record("\(message.count) bytes of garbage") }
          continue
        }
        whole += 1
      }
    }
    #expect(whole > rounds / 200)
  }
}
