import BluetoothCodec
import Configuration
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// Advertisements of AirPods and Beats from a public project's tests.
@Suite struct ProximityTests {
  static let airPods2 =
    "07 19 01 0f 20 53 a9 96 02 00 05 01 85 c6 5a 0a ff 90 97 82 6b d7 c5 42 e1 cc 55"
  static let airPodsMax =
    "07 19 01 0a 20 22 05 80 00 0f 45 e8 0d 9b b8 e5 18 97 32 6a 99 45 5b b1 cf f3 67"
  static let soloBuds =
    "07 19 01 26 20 33 89 80 01 03 04 96 bf b2 c5 f7 b2 36 5d 80 67 6c 74 8e bc da 28"

  private func charge(_ step: UInt8, _ isCharging: Bool = false) -> Battery {
    Battery(step: step, of: 10, isCharging: isCharging)
  }

  @Test func `AirPods report both buds and the case`() throws {
    let reported = try ProximityAdvertisement(decoding: recorded(Self.airPods2), .bundled)
    #expect(ModelCatalog.bundled.appleName(reported.model) == "AirPods (2nd generation)")
    #expect(reported.batteries == [.left: charge(10), .right: charge(9, true), .case: charge(6)])
    #expect(reported.isCaseOpen == true)
  }

  @Test func `headphones over the head have one battery and no lid`() throws {
    let reported = try ProximityAdvertisement(decoding: recorded(Self.airPodsMax), .bundled)
    #expect(ModelCatalog.bundled.appleName(reported.model) == "AirPods Max")
    #expect(reported.batteries == [.left: charge(5)])
    #expect(reported.wearing == Wearing(left: true, right: true) && reported.isCaseOpen == nil)
  }

  @Test func `a headband has its level whichever bud is said to be the primary one`() throws {
    // The first one was recorded; the others are the recorded strings with the bit cleared.
    for (bytes, level) in [
      ("07 19 01 0a 20 02 05 80 04 0f 44 e8 0d 9b b8 e5 18 97 32 6a 99 45 5b b1 cf f3 67", 5),
      ("07 19 01 25 20 42 04 80 01 0f 40 0d 70 50 16 f2 40 83 16 bf 10 16 34 9b 74 84 e8", 4),
    ] as [(String, UInt8)] {
      let reported = try ProximityAdvertisement(decoding: recorded(bytes), .bundled)
      #expect(reported.batteries == [.left: charge(level)])
      #expect(reported.wearing == Wearing(left: true, right: true))
    }
  }

  @Test(arguments: [0x00, 0x02, 0x20, 0x22, 0x42, 0x62] as [UInt8])
  func `the primary bud changes nothing of a headband, of any known model`(_ status: UInt8) throws {
    for model in ModelCatalog.bundled.models where model.shape == .headband {
      guard let product = model.marks.product else { continue }
      var bytes = Array(recorded(Self.airPodsMax))
      (bytes[3], bytes[4], bytes[5]) = (UInt8(product & 0xFF), UInt8(product >> 8), status)
      let reported = try ProximityAdvertisement(decoding: bytes[...], .bundled)
      #expect(reported.batteries == [.left: charge(5)], "\(model.name)")
      let isWorn = status & 0x02 != 0
      #expect(reported.wearing == Wearing(left: isWorn, right: isWorn), "\(model.name)")
    }
  }

  @Test func `the left bud is the primary one here, and the case has no battery`() throws {
    let reported = try ProximityAdvertisement(decoding: recorded(Self.soloBuds), .bundled)
    #expect(ModelCatalog.bundled.appleName(reported.model) == "Beats Solo Buds")
    #expect(reported.batteries == [.left: charge(9), .right: charge(8)])
  }

  @Test func `newer models have their names`() throws {
    let solo = try ProximityAdvertisement(
      decoding: recorded(
        "07 19 01 25 20 62 04 80 01 0f 40 0d 70 50 16 f2 40 83 16 bf 10 16 34 9b 74 84 e8"),
      .bundled)
    #expect(ModelCatalog.bundled.appleName(solo.model) == "Beats Solo 4")
    #expect(solo.batteries == [.left: charge(4)])
    let pro = try ProximityAdvertisement(
      decoding: recorded(
        "07 19 01 27 20 2b 21 8f 14 00 05 68 95 34 74 64 a5 3f 15 27 17 a4 81 41 53 ea 61"),
      .bundled)
    #expect(ModelCatalog.bundled.appleName(pro.model) == "AirPods Pro 3")
    #expect(pro.batteries == [.left: charge(1), .right: charge(2)])
  }

  @Test func `a nibble of 15 is unknown, and one above 10 is not believed`() throws {
    var bytes = Array(recorded(Self.airPods2))
    bytes[6] = 0xFB
    #expect(
      try ProximityAdvertisement(decoding: bytes[...], .bundled).batteries == [.case: charge(6)])
  }

  @Test func `a model that is not known is reported by its number`() {
    #expect(ModelCatalog.bundled.appleName(0x20FE) == "Apple or Beats 0x20FE")
  }

  @Test(arguments: [
    "", "07", "07 19 01 0f 20 53 a9 96 02 00 05", "10 05 01 02 03 04 05", "07 01 00",
  ])
  func `what is cut or another message of Apple's is refused`(_ bytes: String) {
    #expect(throws: MalformedBytes.self) {
      try ProximityAdvertisement(decoding: recorded(bytes), .bundled)
    }
  }

  @Test func `broken advertisements never report more than full`() {
    var generator = SeededGenerator(seed: 0x4C)
    for round in 0..<Thoroughness.rounds(20_000, thorough: 100_000) {
      let samples = [Self.airPods2, Self.airPodsMax, Self.soloBuds]
      let bytes = Array(recorded(samples[round % 3])).mutated(by: &generator)
      guard let reported = try? ProximityAdvertisement(decoding: bytes[...], .bundled) else {
        continue
      }
      #expect(reported.batteries.values.allSatisfy { ($0.level ?? 0) <= 100 })
    }
  }
}

@Suite struct FastPairTests {
  @Test func `three bytes are a model`() throws {
    #expect(try FastPairAdvertisement(decoding: [0xAA, 0xBB, 0xCC]).model == 0xAABBCC)
  }

  /// The published example of an account key filter with battery: 87 %, 65 %, case unknown.
  @Test func `battery fields are read, unknown ones left out`() throws {
    let bytes = recorded("00 40 0a 42 88 10 11 c7 33 57 41 7f")
    #expect(
      try FastPairAdvertisement(decoding: bytes).batteries == [
        .left: Battery(level: 87, isCharging: false), .right: Battery(level: 65, isCharging: false),
      ])
  }

  /// The published forms of a filter: hidden, shown, empty, and none.
  @Test(
    arguments: [
      ("00 40 0a 42 88 10 11 c7", true), ("00 42 0a 42 88 10 11 c7", true), ("00 00", false),
      ("00 02 33 57 41 7f", false), ("00 33 57 41 7f", nil), ("aa bb cc", nil), ("00 11 c7", nil),
    ] as [(String, Bool?)])
  func `an empty filter means that no account has stored a key`(bytes: String, has: Bool?) throws {
    #expect(try FastPairAdvertisement(decoding: recorded(bytes)).hasAccountKey == has)
  }

  @Test(arguments: ["", "00 40 0a 42", "00 33 57 41"])
  func `a field beyond the end is refused`(_ bytes: String) {
    #expect(throws: MalformedBytes.self) { try FastPairAdvertisement(decoding: recorded(bytes)) }
  }
}

@Suite struct BatteryLevelStatusTests {
  @Test(
    arguments: [
      ("00 20 00", true, nil), ("00 40 00", false, nil), ("02 63 00 4b", false, 75),
      ("00 01 00", nil, nil), ("03 21 00 34 12 50", true, 80),
    ] as [(String, Bool?, UInt8?)])
  func `the charge state stands in the power state`(
    _ bytes: String, _ isCharging: Bool?, _ level: UInt8?
  ) throws {
    let status = try BatteryLevelStatus(decoding: recorded(bytes))
    #expect(status.isCharging == isCharging && status.level == level)
  }
}

@Suite struct VolumeStateTests {
  @Test func `the published examples are read and written`() throws {
    let state = try VolumeState(decoding: recorded("80 00 08"))
    #expect(state == VolumeState(setting: 128, isMuted: false, counter: 8))
    #expect(state.encoded() == [0x80, 0, 8] && state.volume.level == 50)
    // Half of 255 is 127.5: the nearest is 128.
    #expect(VolumeState(setting: 0, isMuted: false, counter: 7).command(level: 50) == [4, 7, 0x80])
  }

  @Test func `muting has its own orders`() {
    let state = VolumeState(setting: 9, isMuted: false, counter: 7)
    #expect(state.command(isMuted: true) == [6, 7])
    #expect(state.command(isMuted: false) == [5, 7])
  }

  @Test func `every level comes back as it was ordered`() {
    for level in 0...100 {
      let command = VolumeState(setting: 0, isMuted: false, counter: 0).command(level: UInt8(level))
      let state = VolumeState(setting: command[2], isMuted: false, counter: 1)
      #expect(Int(state.volume.level) == level)
    }
  }

  @Test(arguments: ["", "80", "80 00", "80 02 08", "80 00 08 00"])
  func `what is cut, too long, or neither muted nor not is refused`(_ bytes: String) {
    #expect(throws: MalformedBytes.self) { try VolumeState(decoding: recorded(bytes)) }
  }
}
