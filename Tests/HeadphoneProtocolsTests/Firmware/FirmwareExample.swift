import BluetoothCodec
import FirmwareCrypto
import HeadphoneProtocols

/// Images for tests, with bytes that do not repeat, signed by a fixed key.
enum FirmwareExample {
  static let key = SigningKey(seed: [UInt8](repeating: 7, count: 32)[...])
  static let keys = [key?.verifyingKey].compactMap { $0 }
  static let hardware: UInt32 = 0xA102

  static func image(
    _ size: Int, block: UInt32 = 512, version: FirmwareVersion = FirmwareVersion(2, 0, 0),
    counter: UInt32 = 5
  ) throws -> FirmwareImage {
    try FirmwareImage(
      packing: payload(size), hardware: hardware, version: version, blockSize: block,
      minimumBattery: 30, securityCounter: counter, key: key)
  }

  static func payload(_ size: Int) -> [UInt8] {
    var state: UInt32 = 1
    return (0..<size).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }
}
