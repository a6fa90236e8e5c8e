import BluetoothCodec
import HeadphoneProtocols
import TestSupport
import Testing

/// A stream's pieces begin and end anywhere, and may be hostile.
@Suite struct FastPairStreamTests {
  private static let whole = FastPairMessageTests.messages.map { recorded($0.0) }
  private static let stream = whole.flatMap(Array.init)

  @Test(arguments: 1...stream.count)
  func `messages are whole however the stream is cut`(_ length: Int) {
    var proto = FastPairProtocol()
    var messages: [Bytes] = []
    for start in stride(from: 0, to: Self.stream.count, by: length) {
      messages += proto.messages(in: Self.stream[start...].prefix(length))
    }
    #expect(messages == Self.whole)
  }

  @Test func `of a message that is too long the head is reported, and what follows is read`() {
    var proto = FastPairProtocol()
    let long: [UInt8] = [0x03, 0x09, 0xFF, 0xFF] + Array(repeating: 0x41, count: 0xFFFF)
    var messages: [Bytes] = []
    for start in stride(from: 0, to: long.count, by: 1000) {
      messages += proto.messages(in: long[start...].prefix(1000))
    }
    #expect(messages == [[0x03, 0x09, 0xFF, 0xFF]])
    guard case .malformed(let why)? = proto.receive(messages[0]).events.first else {
      Issue.record("the head says nothing")
      return
    }
    #expect(why.contains("03 09 FF FF") || why.contains("03 09 ff ff"))
    #expect(proto.messages(in: Self.stream[...]) == Self.whole)
  }

  @Test func `broken streams give messages or none, and keep little`() {
    var generator = SeededGenerator(seed: 0xFA57)
    var proto = FastPairProtocol()
    for _ in 0..<Thoroughness.rounds(20_000, thorough: 100_000) {
      for message in proto.messages(in: Self.stream.mutated(by: &generator)[...]) {
        #expect(message.count <= 516)
        _ = proto.receive(message)
      }
      // It goes on as a new stream would, or as this one.
      if generator.below(4) == 0 { proto = FastPairProtocol() }
    }
  }
}
