import HeadphoneProtocols
import Testing

/// The sender's reaction to single acknowledgements.
@Suite struct FirmwareSenderTests {
  private let image: FirmwareImage
  private var sender: FirmwareSender

  init() throws {
    image = try FirmwareExample.image(4000)
    sender = FirmwareSender(
      image, from: 0, allowance: .init(window: 8, longestFrame: 64), at: .zero)
  }

  /// Sends frames, and returns the offset after each.
  private mutating func send(_ count: Int) throws -> [UInt32] {
    try (0..<count).map { _ in
      let next = sender.nextFrame(at: .zero)
      let frame = try #require(next)
      return frame.offset + UInt32(frame.bytes.count)
    }
  }

  /// Handles event 0x08 after `milliseconds`.
  private mutating func receive(
    _ offset: UInt32, window: UInt8 = 8, arrived: UInt32 = 0, at milliseconds: Int
  ) -> [FirmwareSender.Effect] {
    sender.acknowledged(
      FirmwareAcknowledgement(contiguousOffset: offset, window: window, arrived: arrived),
      at: .milliseconds(milliseconds))
  }

  @Test mutating func `no more frames leave than the event has room for`() throws {
    let ends = try send(3)
    #expect(receive(ends[2], window: 2, at: 10) == [])
    _ = try send(2)
    #expect(sender.nextFrame(at: .milliseconds(10)) == nil)
  }

  @Test mutating func `without room nothing leaves until silence is broken`() throws {
    let ends = try send(3)
    #expect(receive(ends[2], window: 0, at: 10) == [])
    #expect(sender.nextFrame(at: .milliseconds(10)) == nil)
    let deadline = try #require(sender.nextDeadline)
    #expect(deadline == .milliseconds(1010))
    #expect(sender.elapse(to: deadline) == [])
    #expect(sender.nextFrame(at: deadline)?.offset == ends[2])
    #expect(sender.nextFrame(at: deadline) == nil)
  }

  @Test mutating func `an event that a newer one has overtaken says nothing`() throws {
    let ends = try send(3)
    #expect(receive(ends[2], window: 0, at: 10) == [])
    #expect(receive(ends[0], window: 8, at: 11) == [])
    #expect(sender.contiguous == Int(ends[2]))
    #expect(sender.nextFrame(at: .milliseconds(11)) == nil)
  }

  @Test mutating func `a bitmap of frames that were never sent is a lie`() throws {
    let ends = try send(3)
    let lie = FirmwareFailure.impossibleAcknowledgement(
      offset: Int(ends[0]), sent: Int(ends[2]))
    #expect(receive(ends[0], arrived: 0b100, at: 10) == [.failed(lie)])
    #expect(sender.nextFrame(at: .milliseconds(10)) == nil)
  }

  @Test mutating func `an offset beyond what was sent is a lie`() throws {
    let ends = try send(2)
    let lie = FirmwareFailure.impossibleAcknowledgement(
      offset: Int(ends[1]) + 1, sent: Int(ends[1]))
    #expect(receive(ends[1] + 1, at: 10) == [.failed(lie)])
  }

  @Test mutating func `a frame that a bitmap named is sent again if it is missing after all`()
    throws
  {
    let ends = try send(5)
    // The third has come, and the second not.
    #expect(receive(ends[0], arrived: 0b1, at: 10) == [])
    #expect(sender.nextFrame(at: .milliseconds(10))?.offset == ends[0])
    // Now the second is there, and the third is missing; the fourth has come.
    #expect(receive(ends[1], arrived: 0b1, at: 20) == [])
    #expect(sender.nextFrame(at: .milliseconds(20))?.offset == ends[1])
  }

  @Test mutating func `five frames into silence, and the sender is stuck`() throws {
    _ = try send(2)
    for _ in 0..<5 {
      let deadline = try #require(sender.nextDeadline)
      #expect(sender.elapse(to: deadline) == [])
      #expect(sender.nextFrame(at: deadline)?.offset == 0)
    }
    let deadline = try #require(sender.nextDeadline)
    #expect(sender.elapse(to: deadline) == [.stuck])
  }

  @Test mutating func `events without progress are borne for half a minute`() throws {
    let ends = try send(2)
    #expect(receive(ends[0], at: 10) == [])
    for second in 1..<30 { #expect(receive(ends[0], at: second * 1000) == [], "\(second) s") }
    #expect(receive(ends[0], at: 30_009) == [])
    #expect(receive(ends[0], at: 30_010) == [.stuck])
    #expect(sender.nextFrame(at: .seconds(31)) == nil && sender.nextDeadline == nil)
  }

  @Test mutating func `frames that are missing are counted against the window`() throws {
    let ends = try send(8)
    #expect(sender.nextFrame(at: .zero) == nil)
    // Three have come, of which two after the first missing one.
    #expect(receive(ends[0], window: 8, arrived: 0b11, at: 10) == [])
    #expect(sender.nextFrame(at: .milliseconds(10))?.offset == ends[0])
    for _ in 0..<3 { #expect(sender.nextFrame(at: .milliseconds(10)) != nil) }
    #expect(sender.nextFrame(at: .milliseconds(10)) == nil)
  }
}
