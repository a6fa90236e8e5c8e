import FirmwareCrypto
import HeadphoneProtocols
import Testing

/// The keys that are trusted for each kind of headphone.
@Suite struct MakerKeysTests {
  static let own = "Earshot protocol"
  static let other = "Acme buds"

  func refusals(
    _ keys: MakerKeys, of profile: String?, isForced: Bool = false
  ) throws -> [FirmwareRefusal] {
    try FirmwareExample.image(600).refusals(
      for: FirmwareTarget(profile: profile), by: FirmwarePolicy(keys: keys, isForced: isForced))
  }

  func unknownDevice() -> [VerifyingKey] { [SigningKey().verifyingKey] }

  @Test func `a maker signs for the profile for which it is trusted`() throws {
    let keys = MakerKeys(ofProfiles: [
      Self.own: FirmwareExample.keys, Self.other: unknownDevice(),
    ])
    #expect(try refusals(keys, of: Self.own) == [])
  }

  @Test(arguments: [true, false])
  func `one profile's maker does not sign for another, insisted upon or not`(
    isForced: Bool
  ) throws {
    let refusal = FirmwareRefusal.otherProfile(signed: [Self.other], headphone: Self.own)
    for own in [[], unknownDevice()] {
      let keys = MakerKeys(ofProfiles: [Self.own: own, Self.other: FirmwareExample.keys])
      #expect(try refusals(keys, of: Self.own, isForced: isForced) == [refusal])
    }
    #expect(refusal.explanation.contains("\"Acme buds\""))
    #expect(refusal.explanation.contains("\"Earshot protocol\""))
    #expect(refusal.advice.contains("--key"))
  }

  @Test func `a key given with the order is trusted for any kind of headphone`() throws {
    let keys = MakerKeys(FirmwareExample.keys, ofProfiles: [Self.own: unknownDevice()])
    #expect(try refusals(keys, of: Self.own) == [])
    #expect(try refusals(keys, of: Self.other) == [])
  }

  @Test func `before the headphone is known any profile's maker will do, but no unknown device`()
    throws
  {
    #expect(
      try refusals(MakerKeys(ofProfiles: [Self.other: FirmwareExample.keys]), of: nil) == [])
    #expect(
      try refusals(MakerKeys(ofProfiles: [Self.other: unknownDevice()]), of: nil)
        == [.untrustedSignature])
    #expect(try refusals(MakerKeys(), of: nil) == [.noTrustedKey])
  }

  @Test func `a profile without a maker says so, whoever is trusted for others`() throws {
    let keys = MakerKeys(ofProfiles: [Self.other: unknownDevice(), Self.own: []])
    #expect(try refusals(keys, of: Self.own) == [.noTrustedKey])
    #expect(try refusals(keys, of: Self.other) == [.untrustedSignature])
  }
}
