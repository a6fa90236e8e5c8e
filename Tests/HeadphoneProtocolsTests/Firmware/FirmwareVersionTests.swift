import HeadphoneProtocols
import Testing

@Suite struct FirmwareVersionTests {
  @Test(arguments: [
    ("1.4.2", FirmwareVersion(1, 4, 2)), ("12", FirmwareVersion(12, 0, 0)),
    ("3.1", FirmwareVersion(3, 1, 0)), ("1.2.65535", FirmwareVersion(1, 2, 65535)),
    ("1.4.2-beta", FirmwareVersion(1, 4, 2)), ("2.0.1 (774)", FirmwareVersion(2, 0, 1)),
  ])
  func `reads a firmware revision`(text: String, version: FirmwareVersion) {
    #expect(FirmwareVersion(text) == version)
  }

  @Test(arguments: ["", ".", "1.", "v1", "1.2.3.4", "256.0.0", "1.256.0", "1.0.65536", "1x"])
  func `makes nothing of other text`(text: String) { #expect(FirmwareVersion(text) == nil) }

  @Test func `counts by major, minor and patch`() {
    let versions = [
      FirmwareVersion(0, 9, 9), FirmwareVersion(1, 0, 0), FirmwareVersion(1, 0, 256),
      FirmwareVersion(1, 2, 0), FirmwareVersion(2, 0, 0),
    ]
    #expect(versions.shuffled().sorted() == versions)
  }

  @Test func `stands in a word as in the manifest`() {
    let version = FirmwareVersion(1, 2, 0x0403)
    #expect(version.word == 0x0403_0201)
    #expect(FirmwareVersion(word: version.word) == version)
    #expect(version.description == "1.2.1027")
  }
}
