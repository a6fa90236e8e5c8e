import BluetoothCodec
import FirmwareCrypto
import HeadphoneProtocols
import Testing

@testable import VirtualHeadphones

/// The headphone's reactions to commands that no good app sends, and their order.
@Suite struct FirmwareReceiverTests {
  private var headphone = UpdateExample.headphone()

  private mutating func ask(_ request: FirmwareRequest) -> CommandResponse {
    headphone.perform(request, batteries: [:], at: .zero)
  }

  private mutating func begin(_ image: FirmwareImage) throws -> FirmwareStart {
    let response = ask(.begin(header: image.header[...]))
    #expect(response.status == .ok)
    return try FirmwareStart(decoding: response.data[...])
  }

  /// Sends the first bytes of an image in frames of 512 bytes, and checks each whole block.
  private mutating func send(_ image: FirmwareImage, blocks: Int) throws {
    for block in 0..<blocks {
      let range = image.manifest.range(ofBlock: block)
      let bytes = Array(image.payload)[range]
      let frame = FirmwareFrame(offset: UInt32(range.lowerBound), bytes: bytes)
      _ = headphone.receive(frame, at: .zero)
      let check = FirmwareRequest.blockDone(
        index: UInt16(block), checksum: CRC32C.checksum(of: bytes))
      #expect(ask(check).status == .ok)
    }
  }

  @Test mutating func `the part of another image is never gone on with`() throws {
    let first = try UpdateExample.image(2000)
    _ = try begin(first)
    try send(first, blocks: 2)
    let other = try FirmwareImage(
      packing: [UInt8](repeating: 9, count: 2000), hardware: UpdateExample.hardware,
      version: UpdateExample.new, blockSize: 512, securityCounter: 5, key: UpdateExample.key)
    #expect(try begin(other).offset == 0)
  }

  @Test mutating func `the part of the same image is gone on with after the last good block`()
    throws
  {
    let image = try UpdateExample.image(2000)
    _ = try begin(image)
    try send(image, blocks: 2)
    let rest = FirmwareFrame(offset: 1024, bytes: Array(image.payload)[1024..<1100])
    _ = headphone.receive(rest, at: .zero)
    #expect(try begin(image).offset == 1024)
  }

  @Test mutating func `a block that was checked may be asked for again`() throws {
    let image = try UpdateExample.image(2000)
    _ = try begin(image)
    try send(image, blocks: 2)
    #expect(ask(.blockDone(index: 0, checksum: 0)).status == .ok)
    #expect(ask(.blockDone(index: 2, checksum: 0)).status == .wrongState)
  }

  @Test mutating func `what is not verified is not started`() throws {
    let image = try UpdateExample.image(600)
    _ = try begin(image)
    #expect(ask(.activate).status == .wrongState)
    try send(image, blocks: 2)
    #expect(ask(.activate).status == .wrongState)
    #expect(ask(.verify).status == .ok)
    #expect(ask(.activate).ending == .restart)
  }

  @Test mutating func `only an image on trial is confirmed, and then it stays`() throws {
    #expect(ask(.confirm).status == .wrongState)
    let image = try UpdateExample.image(600)
    _ = try begin(image)
    try send(image, blocks: 2)
    #expect(ask(.confirm).status == .wrongState)
    #expect(ask(.verify).status == .ok)
    #expect(ask(.activate).status == .ok)
    headphone.restart(at: .zero)
    #expect(headphone.state == .trial)
    #expect(ask(.confirm).status == .ok)
    let due = headphone.elapse(to: .seconds(61))
    #expect(!due.mustRestart)
    headphone.restart(at: .seconds(61))
    #expect(headphone.running.version == UpdateExample.new && headphone.state == .idle)
  }

  @Test mutating func `an image whose bytes are not those of its digest is not verified`() throws {
    let good = try UpdateExample.image(512)
    _ = try begin(good)
    let wrong = [UInt8](repeating: 3, count: 512)[...]
    _ = headphone.receive(FirmwareFrame(offset: 0, bytes: wrong), at: .zero)
    let check = FirmwareRequest.blockDone(index: 0, checksum: CRC32C.checksum(of: wrong))
    #expect(ask(check).status == .ok)
    #expect(ask(.verify).status == .digestWrong)
  }

  @Test mutating func `an image that is longer than the slot is refused`() throws {
    headphone = UpdateExample.headphone { $0.slotSize = 599 }
    let image = try UpdateExample.image(600)
    #expect(ask(.begin(header: image.header[...])).status == .storageFailure)
  }
}
