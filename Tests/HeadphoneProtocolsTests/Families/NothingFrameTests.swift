import BluetoothCodec
import HeadphoneProtocols
import TestSupport
import Testing

/// Frames from public tests of independent projects; "made" ones follow the layout.
@Suite struct NothingFrameTests {
  struct Recorded: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: String
    var frame: NothingFrame

    init(_ title: String, _ bytes: String, _ frame: NothingFrame) {
      testDescription = title
      self.bytes = bytes
      self.frame = frame
    }
  }

  static let frames = [
    Recorded(
      "read battery", "55 60 01 07 c0 00 00 01 ac df", NothingFrame(0xC007, operation: 1)),
    Recorded(
      "battery of three parts", "55 60 01 07 40 07 00 01 03 04 b2 02 3c 03 3a",
      NothingFrame(
        0x4007, operation: 1, payload: [3, 4, 0xB2, 2, 0x3C, 3, 0x3A], checksum: .none)),
    Recorded(
      "battery of two buds, one charging", "55 60 01 07 40 07 00 01 03 04 37 02 c6 03 41",
      NothingFrame(
        0x4007, operation: 1, payload: [3, 4, 0x37, 2, 0xC6, 3, 0x41], checksum: .none)),
    Recorded(
      "battery of one", "55 60 01 07 40 03 00 01 00 00 d8",
      NothingFrame(0x4007, operation: 1, payload: [0, 0, 0xD8], checksum: .none)),
    Recorded(
      "read noise control", "55 60 01 1e c0 00 00 01 b1 1d", NothingFrame(0xC01E, operation: 1)),
    Recorded(
      "transparency", "55 60 01 1e 40 02 00 01 00 07",
      NothingFrame(0x401E, operation: 1, payload: [0, 7], checksum: .none)),
    Recorded(
      "set off (made)", "55 60 01 0f f0 03 00 01 01 05 00 fb 17",
      NothingFrame(0xF00F, operation: 1, payload: [1, 5, 0])),
    Recorded(
      "set high", "55 60 01 0f f0 03 00 01 01 01 00 f9 d7",
      NothingFrame(0xF00F, operation: 1, payload: [1, 1, 0])),
    Recorded(
      "set mid", "55 60 01 0f f0 03 00 01 01 02 00 f9 27",
      NothingFrame(0xF00F, operation: 1, payload: [1, 2, 0])),
    Recorded(
      "set transparency", "55 60 01 0f f0 03 00 01 01 07 00 fa 77",
      NothingFrame(0xF00F, operation: 1, payload: [1, 7, 0])),
    Recorded(
      "set adaptive", "55 60 01 0f f0 03 00 01 01 04 00 fa 87",
      NothingFrame(0xF00F, operation: 1, payload: [1, 4, 0])),
    Recorded(
      "read equaliser", "55 60 01 1f c0 00 00 01 8c dd", NothingFrame(0xC01F, operation: 1)),
    Recorded(
      "set balanced", "55 60 01 10 f0 02 00 01 00 00 27 a9",
      NothingFrame(0xF010, operation: 1, payload: [0, 0])),
    Recorded(
      "set more bass (made)", "55 60 01 10 f0 02 00 01 03 00 27 59",
      NothingFrame(0xF010, operation: 1, payload: [3, 0])),
    Recorded(
      "advanced equaliser", "55 60 01 1f 40 01 00 01 06",
      NothingFrame(0x401F, operation: 1, payload: [6], checksum: .none)),
    Recorded(
      "read in-ear detection", "55 60 01 0e c0 00 00 01 70 de",
      NothingFrame(0xC00E, operation: 1)),
    Recorded(
      "in-ear detection is on", "55 60 01 0e 40 03 00 01 01 01 01",
      NothingFrame(0x400E, operation: 1, payload: [1, 1, 1], checksum: .none)),
    Recorded(
      "switch in-ear detection on", "55 60 01 04 f0 03 00 01 01 01 01 79 a4",
      NothingFrame(0xF004, operation: 1, payload: [1, 1, 1])),
    Recorded(
      "read firmware (made)", "55 60 01 42 c0 00 00 02 21 11", NothingFrame(0xC042, operation: 2)),
    Recorded(
      "ring left", "55 60 01 02 f0 02 00 01 01 01 d5 f8",
      NothingFrame(0xF002, operation: 1, payload: [1, 1])),
    Recorded(
      "silence right", "55 60 01 02 f0 02 00 01 03 00 15 58",
      NothingFrame(0xF002, operation: 1, payload: [3, 0])),
  ]

  @Test(arguments: frames)
  func `a recorded frame is read and written as it was`(_ recorded: Recorded) throws {
    let bytes = HeadphoneProtocolsTests.recorded(recorded.bytes)
    #expect(try NothingFrame(decoding: bytes) == recorded.frame)
    #expect(recorded.frame.encoded() == Array(bytes))
  }

  @Test func `a checksum over the payload alone is a checksum, too`() throws {
    let frame = NothingFrame(0x401F, operation: 1, payload: [6], checksum: .payload)
    #expect(try NothingFrame(decoding: frame.encoded()[...]) == frame)
  }

  @Test(arguments: [
    "", "55", "54 60 01 07 c0 00 00 01 ac df", "55 60 02 07 c0 00 00 01 ac df",
    "55 60 01 1f 40 01 00 01 06 00 00",
    // Zeros in place of the checksum, as one project sends it.
    "55 20 01 42 c0 00 00 00 00 00",
    "55 60 01 07 40 07 00 01 03 04 b2 02 3c 03", "55 60 01 07 c0 00 00 01 ac",
    "55 60 01 07 c0 00 00 01 ac df 00", "55 60 01 07 c0 00 01 01 ac df",
  ])
  func `what is cut, too long or contradicts itself is refused`(_ bytes: String) {
    #expect(throws: MalformedBytes.self) { try NothingFrame(decoding: recorded(bytes)) }
  }

  @Test func `broken frames give an error or a frame that survives`() throws {
    var generator = SeededGenerator(seed: 0x55)
    var whole = 0
    for round in 0..<Thoroughness.rounds(20_000, thorough: 100_000) {
      let sample = Self.frames[round % Self.frames.count].frame.encoded()
      let bytes = sample.mutated(by: &generator)
      guard let frame = try? NothingFrame(decoding: bytes[...]) else { continue }
      whole += 1
      #expect(frame.encoded() == bytes)
      var proto = NothingProtocol()
      _ = proto.receive(bytes[...])
    }
    #expect(whole > 200, "the mutations leave hardly a frame whole")
  }
}
