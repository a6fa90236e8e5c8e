import Testing

@testable import BlueZ

@Suite struct BlueZVersionTests {
  @Test(
    arguments: [
      ("usb:v1D6Bp0246d0542", BlueZVersion(5, 66)), ("usb:v1D6Bp0246d0557", BlueZVersion(5, 87)),
      ("usb:v1D6Bp0246d0600", BlueZVersion(6, 0)), ("usb:v1D6Bp0247d0542", nil),
      ("bluetooth:v1D6Bp0246d0542", nil), ("usb:v1D6Bp0246d542", nil), ("", nil),
    ] as [(String, BlueZVersion?)])
  func `bluetoothd's version is in its adapter's modalias, unless that is another's`(
    _ modalias: String, _ version: BlueZVersion?
  ) {
    #expect(BlueZVersion(modalias: modalias) == version)
  }
}
