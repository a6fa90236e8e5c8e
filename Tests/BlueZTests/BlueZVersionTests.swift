import Testing

@testable import BlueZ

@Suite struct BlueZVersionTests {
  @Test(
    arguments: [
      ("usb:v1D6Bp0246d0542", [5, 66]), ("usb:v1D6Bp0246d0557", [5, 87]),
      ("usb:v1D6Bp0246d0600", [6, 0]), ("usb:v1D6Bp0247d0542", []),
      ("bluetooth:v1D6Bp0246d0542", []), ("usb:v1D6Bp0246d542", []), ("", []),
    ] as [(String, [Int])])
  func `bluetoothd's version is in its adapter's modalias, unless that is another's`(
    _ modalias: String, _ version: [Int]
  ) {
    #expect(BlueZLEAudio.version(inModalias: modalias) == version)
  }
}
