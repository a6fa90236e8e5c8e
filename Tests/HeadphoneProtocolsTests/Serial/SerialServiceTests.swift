import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// Services that several kinds of devices have.
@Suite struct SerialServiceTests {
  @Test(arguments: [(0xB3947, true), (0xB302A, true), (0xD1202, true), (0xB3116, false)])
  func `a Soundcore speaker is no headphone`(_ digits: UInt64, isHeadphone: Bool) {
    let service = BluetoothUUID(
      high: SoundcoreSerialProtocol.service.high,
      low: SoundcoreSerialProtocol.service.low & ~0xFFFFF | digits)
    #expect((HeadphoneFamily.serial([service], vendor: nil) != nil) == isHeadphone)
  }
}
