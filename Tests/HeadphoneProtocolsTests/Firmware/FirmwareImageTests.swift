import BluetoothCodec
import FirmwareCrypto
import HeadphoneProtocols
import Testing

@Suite struct FirmwareImageTests {
  @Test func `writes the manifest as the protocol lays it out`() throws {
    let image = try FirmwareImage(
      packing: [1, 2, 3], hardware: 0x0403_0201, version: FirmwareVersion(9, 8, 0x0706),
      blockSize: 4096, minimumBattery: 40, securityCounter: 0x0D0C_0B0A)
    let file = image.encoded()
    #expect(
      Array(file[0..<24]) == [UInt8]("EFW1".utf8) + [1, 2, 3, 4, 9, 8, 6, 7]
        + [3, 0, 0, 0, 0, 0x10, 0, 0, 40, 0, 0, 0])
    #expect(Array(file[24..<56]) == SHA256Digest.of([1, 2, 3]))
    #expect(Array(file[56..<64]) == [0x0A, 0x0B, 0x0C, 0x0D, 0, 0, 0, 0])
    #expect(Array(file[64..<128]) == [UInt8](repeating: 0, count: 64))
    #expect(Array(file[128...]) == [1, 2, 3])
  }

  @Test func `reads what it has written`() throws {
    let image = try FirmwareExample.image(1300)
    let read = try FirmwareImage(decoding: image.encoded()[...])
    #expect(read == image)
    #expect(read.isSigned(byAnyOf: FirmwareExample.keys))
    #expect(read.manifest.blockCount == 3)
    #expect(read.manifest.range(ofBlock: 2) == 1024..<1300)
  }

  @Test func `a bit that changed anywhere in the manifest or signature is noticed`() throws {
    let file = try FirmwareExample.image(600).encoded()
    for index in 0..<FirmwareImage.headerLength {
      for bit in 0..<8 {
        var wrong = file
        wrong[index] ^= 1 << UInt8(bit)
        let image = try? FirmwareImage(decoding: wrong[...])
        #expect(image?.isSigned(byAnyOf: FirmwareExample.keys) != true, "byte \(index) bit \(bit)")
      }
    }
  }

  @Test func `a bit that changed in the image is noticed`() throws {
    var file = try FirmwareExample.image(600).encoded()
    file[128 + 599] ^= 1
    #expect(throws: FirmwareRefusal.digestWrong) { try FirmwareImage(decoding: file[...]) }
  }

  @Test func `a file of another length is reported by how much`() throws {
    let file = try FirmwareExample.image(600).encoded()
    for length in [4, 63, 127, 128, 727] {
      let expected = length < 128 ? 128 : 728
      #expect(throws: FirmwareRefusal.truncated(expected: expected, actual: length)) {
        try FirmwareImage(decoding: file.prefix(length))
      }
    }
    #expect(throws: FirmwareRefusal.tooLong(expected: 728, actual: 729)) {
      try FirmwareImage(decoding: (file + [0])[...])
    }
  }

  @Test func `what is no firmware is reported where it stops being one`() throws {
    #expect(throws: FirmwareRefusal.notFirmware(nil)) { try FirmwareImage(decoding: []) }
    #expect(throws: FirmwareRefusal.notFirmware(nil)) {
      try FirmwareImage(decoding: [UInt8]("ELF and so on".utf8)[...])
    }
    var file = try FirmwareExample.image(600).encoded()
    file[16] = 3
    #expect(
      throws: FirmwareRefusal.notFirmware(
        MalformedBytes("firmware manifest", at: 16, .badValue(0x203)))
    ) { try FirmwareImage(decoding: file[...]) }
  }

  @Test func `no bytes make it trap`() throws {
    let file = try FirmwareExample.image(600).encoded()
    for index in 0..<FirmwareManifest.length {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var wrong = file
        wrong[index] = value
        _ = try? FirmwareImage(decoding: wrong.dropFirst(0))
      }
    }
    #expect((try? FirmwareImage(decoding: file[...])) != nil)
  }

  @Test func `a maker's mistakes are refused`() {
    func pack(_ bytes: [UInt8], block: UInt32 = 512, battery: UInt8 = 0) throws {
      _ = try FirmwareImage(
        packing: bytes, hardware: 1, version: FirmwareVersion(1, 0, 0), blockSize: block,
        minimumBattery: battery, securityCounter: 1)
    }
    #expect(throws: FirmwarePackingError.size(0)) { try pack([]) }
    #expect(throws: FirmwarePackingError.blockSize(600)) { try pack([1], block: 600) }
    #expect(throws: FirmwarePackingError.blockSize(131072)) { try pack([1], block: 131072) }
    #expect(throws: FirmwarePackingError.minimumBattery(101)) { try pack([1], battery: 101) }
  }
}
