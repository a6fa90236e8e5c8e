import FirmwareCrypto
import HeadphoneProtocols
import Testing

@Suite struct FirmwareChecksTests {
  static let healthy = FirmwareTarget(
    hardware: FirmwareExample.hardware, running: FirmwareVersion(1, 9, 9), securityCounter: 4,
    batteries: [.left: Battery(level: 30), .right: Battery(level: 90), .case: Battery(level: 0)])
  static let policy = FirmwarePolicy(keys: MakerKeys(FirmwareExample.keys))

  func refusals(
    _ policy: FirmwarePolicy = policy, _ change: (inout FirmwareTarget) -> Void = { _ in }
  ) throws -> [FirmwareRefusal] {
    var target = Self.healthy
    change(&target)
    return try FirmwareExample.image(600).refusals(for: target, by: policy)
  }

  @Test func `a newer image for this hardware by a trusted key is sent`() throws {
    #expect(try refusals() == [])
    #expect(try refusals { $0 = FirmwareTarget() } == [])
  }

  @Test func `an image that no trusted key has signed is refused, force or not`() throws {
    let unknownDevice = SigningKey().verifyingKey
    #expect(try refusals(FirmwarePolicy(keys: MakerKeys([unknownDevice]))) == [.untrustedSignature])
    #expect(
      try refusals(FirmwarePolicy(keys: MakerKeys([unknownDevice]), isForced: true)) == [
        .untrustedSignature
      ])
    #expect(try refusals(FirmwarePolicy(keys: MakerKeys(), isForced: true)) == [.noTrustedKey])
  }

  @Test func `an image for other hardware is refused, force or not`() throws {
    let refusal = FirmwareRefusal.wrongHardware(image: 0xA102, headphone: 0xA103)
    #expect(try refusals { $0.hardware = 0xA103 } == [refusal])
    let forced = FirmwarePolicy(keys: MakerKeys(FirmwareExample.keys), isForced: true)
    #expect(try refusals(forced) { $0.hardware = 0xA103 } == [refusal])
  }

  @Test func `an image that is not newer is refused unless a person insists`() throws {
    let same = FirmwareVersion(2, 0, 0)
    #expect(try refusals { $0.running = same } == [.notNewer(image: same, running: same)])
    #expect(
      try refusals { $0.securityCounter = 5 } == [.counterNotHigher(image: 5, running: 5)])
    let forced = FirmwarePolicy(keys: MakerKeys(FirmwareExample.keys), isForced: true)
    #expect(
      try refusals(forced) {
        $0.running = FirmwareVersion(3, 0, 0)
        $0.securityCounter = 9
      } == [])
  }

  @Test(arguments: [Part.left, .right])
  func `a bud with too little charge is refused, force or not`(part: Part) throws {
    let refusal = FirmwareRefusal.batteryTooLow(part, level: 29, minimum: 30)
    #expect(try refusals { $0.batteries[part] = Battery(level: 29) } == [refusal])
    let forced = FirmwarePolicy(keys: MakerKeys(FirmwareExample.keys), isForced: true)
    #expect(try refusals(forced) { $0.batteries[part] = Battery(level: 29) } == [refusal])
    #expect(
      try refusals { $0.batteries[part] = Battery(level: nil) }
        == [.batteryUnknown(part, minimum: 30)])
  }

  @Test func `a bud that charges may be empty`() throws {
    #expect(try refusals { $0.batteries[.left] = Battery(level: 1, isCharging: true) } == [])
  }

  @Test func `all that is wrong is reported at once`() throws {
    let found = try refusals(FirmwarePolicy(keys: MakerKeys())) {
      $0 = FirmwareTarget(
        hardware: 1, running: FirmwareVersion(9, 0, 0), securityCounter: 9,
        batteries: [.left: Battery(level: 1)])
    }
    #expect(found.count == 5)
    for refusal in found {
      #expect(!refusal.explanation.isEmpty && !refusal.advice.hasSuffix("."))
    }
  }

  @Test(arguments: [("0xA102", 0xA102), ("41218", 41218), ("0xa102", 0xA102)])
  func `a hardware revision that is a number names the hardware`(text: String, id: UInt32) {
    #expect(FirmwareTarget.hardware(named: text) == id)
  }

  @Test(arguments: ["", "C", "0x", "-1", "rev 2", "0x100000000"])
  func `any other hardware revision leaves it unknown`(text: String) {
    #expect(FirmwareTarget.hardware(named: text) == nil)
  }
}
