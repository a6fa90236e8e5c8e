import FirmwareCrypto
import HeadphoneProtocols
import LinkSimulation
import VirtualHeadphones

/// A headphone that runs 1.0.0 and the images that tests send to it.
enum UpdateExample {
  static let key = SigningKey(seed: [UInt8](repeating: 7, count: 32)[...])
  static let hardware: UInt32 = 0xA102
  static let old = FirmwareReceiver.Firmware(
    version: FirmwareVersion(1, 0, 0), securityCounter: 4, image: [1, 2, 3])
  static let new = FirmwareVersion(2, 0, 0)
  /// A link on which nothing happens but the test's own failures.
  static let quickLink = LinkModel.Parameters(
    interval: .milliseconds(15), packetsPerEvent: 4, buffer: 8)

  static func image(_ size: Int, block: UInt32 = 512) throws -> FirmwareImage {
    try FirmwareImage(
      packing: payload(size), hardware: hardware, version: new, blockSize: block,
      minimumBattery: 30, securityCounter: 5, key: key)
  }

  /// Returns random bytes, repeated after a prime number of them, so that no two blocks are equal.
  static func payload(_ size: Int) -> [UInt8] {
    var state: UInt32 = 1
    let bytes = (0..<min(size, 65_521)).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    var payload: [UInt8] = []
    while payload.count < size { payload += bytes.prefix(size - payload.count) }
    return payload
  }

  static func headphone(_ change: (inout FirmwareReceiver.Setup) -> Void = { _ in })
    -> FirmwareReceiver
  {
    var setup = FirmwareReceiver.Setup(
      hardware: hardware, keys: [key?.verifyingKey].compactMap { $0 })
    change(&setup)
    return FirmwareReceiver(setup, running: old)
  }

  static func simulation(
    _ image: FirmwareImage, over link: LinkModel.Parameters = quickLink,
    _ change: (inout FirmwareReceiver.Setup) -> Void = { _ in }
  ) -> UpdateSimulation {
    UpdateSimulation(image, to: headphone(change), over: link)
  }
}

extension UpdateSimulation {
  /// Returns whether the new image runs permanently and completely.
  func hasInstalled(_ image: FirmwareImage) -> Bool {
    headphone.state == .idle && headphone.running.version == image.manifest.version
      && headphone.running.image[...] == image.payload
  }

  /// Whether the old image runs as before.
  var runsOld: Bool { headphone.running == UpdateExample.old }
}
