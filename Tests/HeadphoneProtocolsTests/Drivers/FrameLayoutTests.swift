import BluetoothCodec
import TestSupport
import Testing

@testable import HeadphoneProtocols

@Suite struct FrameLayoutTests {
  private static func options(
    _ check: FrameOptions.Check = .none, from: Int = 0, uncounted: Int? = nil
  ) -> FrameOptions {
    var options = FrameOptions(check: check)
    (options.checkedFrom, options.uncounted) = (from, uncounted)
    return options
  }

  /// Frames as the makers' own code encodes them, with their layouts.
  private static let known: [(String, FrameOptions, UInt16, [UInt8], [UInt8])] = [
    ("AA command length payload", options(), 0x25, [0], JBLFrame(0x25, [0]).encoded()),
    (
      "05 5A length:2le command:2le payload", options(uncounted: 4), 0x0CD6, [1],
      TechnicsFrame(.command, 0x0CD6, [1]).encoded()
    ),
    (
      "FF 04 00 length 04 95 command:2 payload", options(uncounted: 8), 0x0603, [],
      GAIAFrame(version: 4, vendor: 0x0495, 0x0603, []).encoded()
    ),
    (
      "11 01 command:2 length:2 sequence:2 xor payload", options(), 0x5E, [1],
      OneMoreFrame(.phone, 0x5E, sequence: 7, [1]).encoded()
    ),
    (
      "08 EE 00 00 00 command:2 length:2le payload", options(.sum, uncounted: 0), 0x0101, [],
      SoundcoreFrame(.phone, 0x0101, []).encoded()
    ),
    (
      "5A length:2 00 command:2 payload", options(.crc16, uncounted: 5), 0x0108, [1, 0],
      HuaweiFrame.format.frame(around: [0, 0, 0, 0x01, 0x08, 1, 0])
    ),
  ]

  @Test(arguments: known.indices)
  func `frames of makers are written and read byte for byte`(_ index: Int) throws {
    let (text, options, command, payload, frame) = Self.known[index]
    let layout = try FrameLayout(text, options)
    #expect(layout.frame(command, sequence: 7, payload) == frame, "\(text)")
    let decoded = try layout.decode(([0xEE] + frame).dropFirst(), "frame")
    #expect(decoded == FrameLayout.Frame(command: command, payload: payload[...]))
    var reader = FrameReader(layout.format)
    #expect(reader.messages(in: (frame + frame)[...]) == [frame[...], frame[...]])
    for place in frame.indices {
      var wrong = frame
      wrong[place] ^= 0x55
      if let other = try? layout.decode(wrong[...], "frame") {
        #expect(other != decoded, "\(text) at \(place)")
      }
    }
  }

  @Test func `random layouts read what they write`() throws {
    var generator = SeededGenerator(seed: 0xF2A3)
    let words = ["..", "A7", "00", "length", "length:2", "length:2le", "sequence", "status"]
    let checks = FrameOptions.Check.allCases
    var read = 0
    for _ in 0..<2_000 {
      var parts = ["C3"] + (0..<generator.below(4)).map { _ in words[generator.below(words.count)] }
      parts.append(["command", "command:2", "command:2le"][generator.below(3)])
      parts += ["payload"] + (generator.below(2) == 0 ? [] : ["EE"])
      let options = Self.options(checks[generator.below(checks.count)], from: generator.below(2))
      guard let layout = try? FrameLayout(parts.joined(separator: " "), options) else { continue }
      let command = UInt16(generator.below(256))
      let payload = (0..<generator.below(20)).map { _ in UInt8(generator.below(256)) }
      let frame = layout.frame(command, sequence: 3, payload)
      let decoded = try layout.decode(frame[...], "frame")
      #expect(decoded == FrameLayout.Frame(command: command, payload: payload[...]), "\(parts)")
      for count in 0..<frame.count {
        _ = try? layout.decode(frame.prefix(count), "frame")
      }
      read += 1
    }
    #expect(read > 500)
  }

  @Test(
    arguments: [
      ("AA command length", "a frame needs the word \"payload\""),
      ("AA length payload", "a frame needs the word \"command\" before the payload"),
      ("AA command command payload", "a frame has \"command\" once"),
      ("AA command payload payload", "a frame has \"payload\" once"),
      (
        "AA command:3 payload",
        "\"command:3\": a width is 1, 2 (high byte first) or 2le (low byte first)"
      ),
      ("AA command status:2 payload", "\"status\" has one byte"),
      (
        "AA command payload length",
        "after the payload there may be \"xor\" and bytes such as \"EE\""
      ),
      ("AA command xor payload xor", "a frame has one checksum: \"xor\" or the key \"check\""),
      (
        "AA order payload",
        "a frame consists of bytes such as \"AA\", \"..\" for any byte, and the words "
          + "command, length, sequence, status, xor, payload, not \"order\""
      ),
    ])
  func `a layout that cannot be says why`(_ text: String, _ what: String) {
    #expect(throws: FrameLayout.Mistake(what: what)) { try FrameLayout(text) }
  }

  @Test func `options that do not fit the layout say why`() {
    var long = FrameOptions()
    long.longest = 300
    let wrong: [(FrameOptions, String)] = [
      (
        Self.options(.sum, from: 2),
        "\"check-from\" is beyond the bytes that begin every frame: 1"
      ),
      (Self.options(.sum16, from: 1), "\"sum16\" covers the whole frame before it"),
      (long, "\"longest\" is from 3 to 258 with this layout"),
    ]
    for (options, what) in wrong {
      #expect(throws: FrameLayout.Mistake(what: what)) {
        try FrameLayout("AA command length payload", options)
      }
    }
  }
}
