import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// Nothing's frames in a stream, with and without the announced checksum.
@Suite struct NothingReaderTests {
  private static func frame(_ checksum: NothingFrame.Checksum, control: UInt8 = 0x60) -> [UInt8] {
    NothingFrame(
      0x4007, operation: 1, payload: [2, 2, 0x64, 3, 0x64], control: control, checksum: checksum
    ).encoded()
  }

  @Test(arguments: [NothingFrame.Checksum.whole, .payload])
  func `a stream that is cut anywhere gives the same frames`(_ checksum: NothingFrame.Checksum) {
    let stream = Self.frame(checksum) + Self.frame(.none, control: 0x40) + Self.frame(checksum)
    for cut in 0...stream.count {
      var reader = NothingReader()
      let messages = [stream[..<cut], stream[cut...]].flatMap { reader.messages(in: $0) }
      let frames = messages.map { try? NothingFrame(decoding: $0).payload }
      #expect(frames == Array(repeating: [2, 2, 0x64, 3, 0x64], count: 3), "\(cut)")
    }
  }

  @Test func `a length that lies does not keep back the frames behind it`() {
    var reader = NothingReader()
    let good = Self.frame(.whole)
    var liar = good
    liar[5] = 0xFF
    #expect(reader.messages(in: liar[...]).isEmpty)
    #expect(reader.messages(in: (good + good)[...]).suffix(2) == [good[...], good[...]])
  }

  @Test func `a checksum that is announced and not there is not waited for`() {
    var reader = NothingReader()
    let bare = Self.frame(.none)
    #expect(reader.messages(in: bare[...]) == [bare[...]])
    #expect(reader.messages(in: (bare + bare)[...]).count == 2)
  }

  @Test func `a wrong checksum is garbage, and the frame behind it is read`() {
    var reader = NothingReader()
    let good = Self.frame(.whole)
    let messages = reader.messages(in: (Self.frame(.none) + [0, 0] + good)[...])
    #expect(messages.count == 2 && messages.last == good[...])
    #expect((messages.first.flatMap { try? NothingFrame(decoding: $0) }) == nil)
  }
}
