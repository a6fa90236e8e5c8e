import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import HeadphoneDrivers

@Suite struct DeviceKindTests {
  @Test(arguments: [(0xB3947, true), (0xB302A, true), (0xD1202, true), (0xB3116, false)])
  func `a Soundcore speaker is no headphone`(_ digits: UInt64, isHeadphone: Bool) {
    let service = BluetoothUUID(
      high: SoundcoreProtocol.serialService.high,
      low: SoundcoreProtocol.serialService.low & ~0xFFFFF | digits)
    #expect((DeviceKind(serial: [service], vendor: nil) != nil) == isHeadphone)
  }

  @Test func `a serial service names the family, and what has none is taken for Apple's`() {
    let sony = HeadphoneFamily.allCases.first { $0.rawValue == "sony" }
    let records = ServiceRecords(serialServices: sony?.serialProtocol?.services.map(\.uuid) ?? [])
    #expect(DeviceKind(records).family == sony)
    #expect(DeviceKind(records).reason.hasPrefix("serial service "))
    #expect(DeviceKind(ServiceRecords()).family == .airpods)
  }

  /// The families whose service other makers use, too.
  private static let sharing = HeadphoneFamily.allCases.filter { family in
    family.serialProtocol?.services.contains(where: \.isShared) == true
  }

  @Test(arguments: sharing)
  func `a scan shows what makers share where a person says whose it is`(
    _ family: HeadphoneFamily
  ) throws {
    let service = try #require(family.serialProtocol?.services.first)
    let pattern = AdvertisingPattern.serialService(service.uuid, mask: service.mask)
    #expect(!FamilyAdvertisements.patterns(forced: nil).contains(pattern))
    #expect(FamilyAdvertisements.patterns(forced: family).contains(pattern))
  }

  @Test(arguments: sharing)
  func `a service that makers share is one's own only where a person says so`(
    _ family: HeadphoneFamily
  ) throws {
    let records = ServiceRecords(serialServices: family.serialProtocol?.services.map(\.uuid) ?? [])
    #expect(!records.serialServices.isEmpty)
    #expect(DeviceKind(records).family == .airpods)
    #expect(DeviceKind(records, forced: family).family == family)
    #expect(DeviceKind(records, forced: .soundcore).family == .airpods)
    let shared = try #require(records.serialServices.first)
    let channel = LinkChannel.serial(shared, vendor: nil)
    #expect(DeviceKind(channel) == nil && DeviceKind(channel, forced: family)?.family == family)
  }

  @Test func `a service of several protocols is Oppo's with its vendor, beside no other family's`()
    throws
  {
    let common = OppoProtocol.commonService
    let vendor: UInt16 = 0x02B0
    func family(_ services: [BluetoothUUID], _ vendor: UInt16?) -> String? {
      DeviceKind(serial: services, vendor: vendor)?.family.rawValue
    }
    #expect(family([common], vendor) == "oppo")
    #expect(family([common], 0x000A) == nil && family([common], nil) == nil)
    let vivo = try #require(HeadphoneFamily(rawValue: "vivo")?.serialProtocol?.services.first)
    #expect(family([common, vivo.uuid], vendor) == "vivo")
    // Nor does a scan take others with it for headphones that have controls.
    let patterns = FamilyAdvertisements.patterns.filter(\.isSerial)
    let data = AdvertisingData([.serviceUUIDs([common], isComplete: true)])
    func isShown(_ product: ProductID?) -> Bool { patterns.contains { $0.matches(data, product) } }
    #expect(isShown(ProductID(vendor: vendor, product: 0)))
    #expect(!isShown(ProductID(vendor: 0x000A, product: 0)) && !isShown(nil))
  }

  @Test func `an LE link tells by its services alone`() {
    #expect(DeviceKind(.attributes) == nil)
    #expect(DeviceKind(.classic(psm: AACPPacket.psm))?.family == .airpods)
  }

  @Test func `what has no service is no headphone, whatever a person says`() {
    for forced in [nil, HeadphoneFamily.earshot, .nothing, .standard] {
      #expect(throws: HeadphoneError.self) {
        try DeviceKind(Database(), profiles: [.earshot], forced: forced)
      }
    }
  }
}
