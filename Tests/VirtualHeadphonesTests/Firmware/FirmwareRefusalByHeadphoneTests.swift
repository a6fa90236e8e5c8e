import FirmwareCrypto
import HeadphoneProtocols
import LinkSimulation
import Testing
import VirtualHeadphones

/// What the headphone itself refuses, whatever the app permits.
@Suite struct FirmwareRefusalByHeadphoneTests {
  func outcome(
    of image: FirmwareImage, _ change: (inout UpdateSimulation) -> Void = { _ in }
  ) throws -> FirmwareOutcome {
    var simulation = UpdateExample.simulation(image)
    change(&simulation)
    let outcome = try simulation.run()
    #expect(simulation.runsOld)
    return outcome
  }

  func image(
    hardware: UInt32 = UpdateExample.hardware, counter: UInt32 = 5, battery: UInt8 = 30,
    key: SigningKey? = UpdateExample.key
  ) throws -> FirmwareImage {
    try FirmwareImage(
      packing: UpdateExample.payload(700), hardware: hardware, version: UpdateExample.new,
      blockSize: 512, minimumBattery: battery, securityCounter: counter, key: key)
  }

  @Test func `another's signature`() throws {
    let failure = FirmwareFailure.refused(.firmwareBegin, .signatureInvalid)
    #expect(try outcome(of: image(key: SigningKey())) == .failed(failure))
    #expect(try outcome(of: image(key: nil)) == .failed(failure))
  }

  @Test func `other hardware`() throws {
    #expect(
      try outcome(of: image(hardware: 1))
        == .failed(.refused(.firmwareBegin, .wrongHardware)))
  }

  @Test(arguments: [3, 4] as [UInt32])
  func `a security counter that is not higher`(_ counter: UInt32) throws {
    #expect(
      try outcome(of: image(counter: counter))
        == .failed(.refused(.firmwareBegin, .downgradeRefused)))
  }

  @Test func `a bud with too little charge`() throws {
    #expect(
      try outcome(of: image()) { $0.batteries = [.left: Battery(level: 29)] }
        == .failed(.refused(.firmwareBegin, .batteryTooLow)))
  }

  @Test func `each bit of the manifest, wherever it changes`() throws {
    let good = try image().encoded()
    for place in 0..<FirmwareImage.headerLength * 8 {
      let index = place / 8
      var file = good
      file[index] ^= 1 << UInt8(place % 8)
      // Most are refused before; the headphone gets those that still parse.
      guard let wrong = try? FirmwareImage(decoding: file[...]) else { continue }
      guard case .failed(.refused(.firmwareBegin, _)) = try outcome(of: wrong) else {
        Issue.record("bit \(place % 8) of byte \(index) was accepted")
        continue
      }
    }
  }
}
