import BluetoothAttributes
import BluetoothCodec
import Companion
import Persistence
import TestSupport
import Testing

@Suite struct GATTCacheTests {
  private let folder = TemporaryFolder()

  private var cache: GATTCache {
    let level = Characteristic(
      uuid: .bit16(0x2A19), properties: [.read, .notify], declaration: 17, handle: 18, end: 20,
      descriptors: [
        Descriptor(uuid: .clientConfiguration, handle: 19),
        Descriptor(uuid: .presentationFormat, handle: 20),
      ])
    let event = Characteristic(
      uuid: BluetoothUUID(high: 0x1234_5678_1234_5678, low: 0x1234_5678_9ABC_DEF4),
      properties: .indicate, declaration: 33, handle: 34, end: 40)
    let services = [
      Service(
        uuid: .bit16(0x180F), range: ATTHandleRange(start: 16, end: 20), characteristics: [level]),
      Service(
        uuid: .bit16(0xFFF0), range: ATTHandleRange(start: 32, end: 0xFFFF),
        characteristics: [event],
        includedServices: [
          IncludedService(
            handle: 32, range: ATTHandleRange(start: 16, end: 20), uuid: .bit16(0x180F))
        ]),
    ]
    return GATTCache(hash: DatabaseHash(0..<16), database: Database(services: services))
  }

  @Test func `what was discovered is whole in the next run`() throws {
    let known = KnownHeadphones(in: folder.state)
    try known.keep(cache, of: ear)
    #expect(known.cache(of: ear) == cache)
    #expect(KnownHeadphones(in: folder.state, environment: "virtual").cache(of: ear) == nil)
    try known.forget(ear)
    #expect(known.cache(of: ear) == nil)
  }

  @Test func `without a hash a cache is kept only for a bonded headphone`() throws {
    var unproved = cache
    unproved.hash = nil
    unproved.database.services[0].isPrimary = false
    let known = KnownHeadphones(in: folder.state)
    try known.keep(unproved, of: ear)
    #expect(known.cache(of: ear) == nil)
    try known.keep(unproved, of: ear, isBonded: true)
    #expect(known.cache(of: ear) == unproved)
  }

  @Test(arguments: ["../../x", "", "a/b", "ü", String(repeating: "a", count: 65)])
  func `an identity never leads out of the folder`(id: String) throws {
    let known = KnownHeadphones(in: folder.state)
    try known.keep(cache, of: HeadphoneID(rawValue: id))
    #expect(known.cache(of: HeadphoneID(rawValue: id)) == nil)
  }

  @Test func `a damaged cache is none, or makes sense`() throws {
    let known = KnownHeadphones(in: folder.state)
    try known.keep(cache, of: ear)
    let file = folder.state.file("gatt-\(ear.rawValue).json")
    let text = try #require(try file.read())
    var random = SeededGenerator(seed: 3)
    var usable = 0
    for _ in 0..<300 {
      try file.replace(with: text.mutated(by: &random), isPrecious: false)
      guard let cache = known.cache(of: ear) else { continue }
      usable += 1
      for service in cache.database.services {
        #expect(service.range.start <= service.range.end)
        for characteristic in service.characteristics {
          #expect(characteristic.handle <= characteristic.end)
          #expect(characteristic.end <= service.range.end)
        }
      }
    }
    #expect(usable < 300)
  }
}
