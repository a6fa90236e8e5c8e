internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

extension VirtualModel {
  /// The headphones of `--adapter virtual-families`, in the order of their addresses.
  ///
  /// | number | headphone | channel |
  /// | --- | --- | --- |
  /// | 1, 2 | Nothing Ear, Headphone (1) | LE, service FD90 |
  /// | 3, 4 | Soundcore Life Q30, buds | LE, service xxxxF5DA |
  /// | 5 | any LE earbuds | LE, standard services |
  /// | 6, 7 | AirPods, connected elsewhere and here | advertisement; L2CAP on the BR/EDR side |
  /// | 8, 9 | two buds of one set | LE, a link each |
  /// | 10 | Fast Pair buds | LE, and the message stream |
  /// | 11, 12 | Sony of both generations | RFCOMM |
  /// | 13, 14 | Galaxy Buds of both framings | RFCOMM |
  /// | 15, 16 | Bose QC45, Huawei FreeBuds Pro | RFCOMM |
  /// | 17 to 19 | Soundcore, CMF, realme | RFCOMM |
  /// | 20 to 24 | Sennheiser, vivo, Edifier, Pixel Buds, Redmi | RFCOMM |
  /// | 25, 26 | JBL, QCY | LE, services 65786365-… and A001 |
  /// | 27, 28 | Bose QC35 II, QC Ultra | RFCOMM |
  /// | 29 to 31 | Galaxy Buds Pro, Space One, Life Tune | RFCOMM |
  /// | 32 to 34 | Pixel Buds Pro 2, OnePlus, Liberty 4 Pro | RFCOMM |
  public static let families: [VirtualModel] = [
    .nothing, .nothingHeadphone, .soundcore, .soundcoreBuds, .standardBuds, .airPods,
    .airPodsHere, .leftBud, .rightBud, .fastPairBuds, .sonyOverEar, .sonyBuds,
    .galaxyBuds, .galaxyBuds2019, .bose, .huawei,
    .soundcoreSport, .cmf, .realme, .sennheiser, .vivo, .edifier, .pixelBuds, .redmi, .jbl,
    .qcy, .boseSteps, .boseUltra, .galaxyBudsPro, .spaceOne, .lifeTune, .pixelBudsSecond, .onePlus,
    .liberty4Pro,
  ]

  /// A Nothing Ear: buds with noise control at three levels, and a case that is charging.
  public static let nothing = family(
    1, "Nothing Ear", rssi: -52,
    lowEnergy: VirtualNothing(
      battery: NothingBattery(
        .parts([
          .left: Battery(level: 60, isCharging: false),
          .right: Battery(level: 58, isCharging: false),
          .case: Battery(level: 50, isCharging: true),
        ])), noise: .transparency, firmware: "1.0.1.52"))

  /// A Nothing Headphone (1): one battery, charging.
  public static let nothingHeadphone = family(
    2, "Headphone (1)", rssi: -58,
    lowEnergy: VirtualNothing(
      battery: NothingBattery(.single(Battery(level: 88, isCharging: true))), noise: .high,
      firmware: "1.0.0.71"))

  /// A Soundcore Life Q30, with a state that was recorded from a real one.
  public static let soundcore = family(
    3, "Soundcore Life Q30", rssi: -63, lowEnergy: VirtualSoundcore.overEarOnLE)

  /// Soundcore buds of an unknown model, which report only battery, firmware and serial number.
  public static let soundcoreBuds = family(
    4, "Soundcore buds", rssi: -66,
    lowEnergy: VirtualSoundcore(
      modelBits: 0x013C, state: Array(repeating: 0, count: 20), modes: 0..<0,
      levels: [3, 4], charging: [1, 0], firmware: "12.3423.450123456789ABCDEF"))

  public static let standardBuds: VirtualModel = {
    var model = family(5, "Any LE earbuds", rssi: -70, .standard)
    model.information = DeviceInformation(
      manufacturer: "Somebody", model: "LE Buds", firmware: "1.2.3")
    model.batteries = [.left, .right]
    model.levels = [.left: 80, .right: 75]
    return model
  }()

  /// AirPods that only advertise: the left bud in the ear, the right one charging in the case.
  public static let airPods = family(
    6, "", rssi: -48,
    .proximity(
      [
        0x07, 0x19, 0x01, 0x14, 0x20, 0x33, 0x79, 0x26, 0x01, 0x00, 0x05,
      ] + Array(repeating: 0xE5, count: 16)))

  /// AirPods whose BR/EDR side is connected to this computer.
  public static let airPodsHere: VirtualModel = {
    var airPods = VirtualAirPods(
      product: 0x201B,
      battery: AACPBattery([
        .init(.right, 64, .discharging), .init(.left, 71, .discharging),
        .init(.case, 38, .charging),
      ]), ear: AACPEar(primary: .inEar, secondary: .inEar), noise: 2, strength: 50,
      metadata: AACPMetadata(
        name: "AirPods", model: "A3056", manufacturer: "Apple Inc.", serial: "VIRTUAL0007",
        firmware: "7B21"))
    // On are: off as a mode, swipes, sounds of the case, and ear detection.
    let on: [UInt8] = [0x34, 0x25, 0x31, 0x0A]
    let off: [UInt8] = [0x28, 0x1B, 0x26, 0x35, 0x3B]
    let none: [UInt8] = [0x01, 0x17, 0x18, 0x23, 0x39]
    for (controls, value) in [(on, 1), (off, 2), (none, 0)] as [([UInt8], UInt8)] {
      for control in controls { airPods.controls[control] = [value, 0, 0, 0] }
    }
    airPods.controls[0x16] = [1, 1, 0, 0]
    airPods.controls[0x1A] = [7, 0, 0, 0]
    airPods.controls[0x1F] = [80, 80, 0, 0]
    airPods.controls[0x24] = [0x20, 3, 0, 0]
    let proximity: [UInt8] =
      [0x07, 0x19, 0x01, 0x1B, 0x20, 0x2B, 0x67, 0x44, 0x01, 0x00, 0x05]
      + Array(repeating: 0xE5, count: 16)
    var model = family(7, "", rssi: -44, .airPods(airPods, proximity: proximity))
    model.audioAddress = BluetoothAddress(value: 0x0000_5E00_5387)
    return model
  }()

  /// The left bud of a coordinated set, with its own link and battery.
  public static let leftBud = bud(.left, 8, level: 83)
  /// The right bud of the same set.
  public static let rightBud = bud(.right, 9, level: 78)

  /// Fast Pair buds: the Battery service has one battery, the message stream those of each part.
  public static let fastPairBuds: VirtualModel = {
    var model = family(
      10, "Fast Pair buds", rssi: -61,
      .fastPair(
        VirtualFastPair(
          model: 0xAA_BBCC, battery: [0x57, 0x41, 0xB2], minutes: 135, firmware: "3.1.4")))
    let address = BluetoothAddress(value: 0x0000_5E00_538A)
    model.address = PeerAddress(address, .public)
    model.audioAddress = address
    model.information = DeviceInformation(manufacturer: "Somebody")
    model.batteries = [.left]
    model.levels = [.left: 65]
    model.describesBatteries = false
    return model
  }()

  /// A Sony headphone of the first generation: one battery, wind reduction, speak to chat.
  public static let sonyOverEar = serial(11, "WH-1000XM4", VirtualSony.overEar)
  /// Sony earbuds of the second generation: buds and case, adaptive ambient sound, ten bands.
  public static let sonyBuds = serial(12, "WF-1000XM6", VirtualSony.earbuds)

  /// Galaxy Buds of the later framing, with noise control and a case, out of the ears.
  public static let galaxyBuds = serial(13, "Galaxy Buds2 Pro", VirtualGalaxyBuds.second)
  /// Galaxy Buds of 2019: the first framing, only ambient sound.
  public static let galaxyBuds2019 = serial(14, "Galaxy Buds", VirtualGalaxyBuds.first)

  /// A Bose headphone with two modes of noise control and three bands.
  public static let bose = serial(15, "Bose QC45", VirtualBose.overEar)

  /// Huawei earbuds with noise cancelling of several strengths.
  public static let huawei = serial(
    16, "FreeBuds Pro", VirtualHuawei(levels: [88, 91, 60], charging: [0, 0, 1]))

  /// A Soundcore headphone that is controlled only over RFCOMM.
  public static let soundcoreSport = serial(
    17, "soundcore Sport X20", VirtualSoundcore.sport)

  /// CMF earbuds, with Nothing's protocol over RFCOMM.
  public static let cmf: VirtualModel = {
    var nothing = VirtualNothing(
      battery: NothingBattery(
        .parts([
          .left: Battery(level: 70, isCharging: false),
          .right: Battery(level: 72, isCharging: false),
          .case: Battery(level: 45, isCharging: false),
        ])), noise: .transparency, firmware: "1.0.1.52")
    nothing.payloads = [
      NothingCommand.readLowLatency: [0], NothingCommand.readBass: [0, 6],
      NothingCommand.readSpatialSound: [0, 0],
      // For each bud: double tap, hold, and double tap and hold.
      NothingCommand.readGestures: [
        6, 2, 0, 2, 2, 2, 0, 7, 10, 2, 0, 9, 19, 3, 0, 2, 2, 3, 0, 7, 10, 3, 0, 9, 18,
      ],
    ]
    return serial(18, "CMF Buds Pro", VirtualNothingSerial(nothing))
  }()

  /// Realme earbuds, with Oppo's protocol and noise cancelling of four strengths.
  public static let realme = serial(
    19, "realme Buds Air7",
    VirtualOppo(product: [0x12, 0x48, 0x06], levels: [0x64, 0xDE, 0x3C]))

  /// A Sennheiser headphone with a dial for noise control.
  public static let sennheiser = serial(20, "HDB 630", VirtualSennheiser.overEar)

  /// vivo earbuds with three modes of noise control.
  public static let vivo = serial(21, "vivo TWS Air3 Pro", VirtualVivo(levels: [83, 82, 95]))

  /// An Edifier headphone with one battery and several kinds of noise control.
  public static let edifier = serial(22, "EDIFIER W860NB Pro", VirtualEdifier(levels: [60]))

  /// Pixel Buds Pro, which are controlled by remote procedure calls.
  public static let pixelBuds = serial(
    23, "Pixel Buds Pro", VirtualPixelBuds(levels: [62, 51, 53]))

  /// Redmi earbuds, which require the response to a challenge.
  public static let redmi = serial(
    24, "Redmi Buds 5 Pro", VirtualRedmi(levels: [0xE4, 0x63, 0x50]))

  /// JBL earbuds in ambient sound.
  public static let jbl = family(
    25, "JBL TUNE230NC-LE", rssi: -55, lowEnergy: VirtualJBL(levels: [10, 30, 78]))

  /// QCY earbuds, of which the left one is charging.
  public static let qcy = family(
    26, "QCY-APP", rssi: -56, lowEnergy: VirtualQCY(levels: [0xD7, 76, 64]))

  // Headphones with settings that the other ones lack:

  /// A Bose headphone with steps of noise cancelling.
  public static let boseSteps = serial(27, "Bose QC35 II", VirtualBose.steps)
  /// A Bose headphone with modes, including the user's own.
  public static let boseUltra = serial(28, "Bose QC Ultra", VirtualBose.ultra)
  /// Galaxy Buds with noise cancelling of two strengths.
  public static let galaxyBudsPro = serial(29, "Galaxy Buds Pro", VirtualGalaxyBuds.pro)
  /// A Soundcore headphone with transparency of several strengths.
  public static let spaceOne = serial(30, "soundcore Space One", VirtualSoundcore.spaceOne)
  /// A headphone of the Life Q30's generation: scenes of noise cancelling, equaliser.
  public static let lifeTune = serial(31, "Soundcore Life Tune", VirtualSoundcore.overEar)
  public static let pixelBudsSecond: VirtualModel = {
    var buds = VirtualPixelBuds(levels: [70, 68, 40])
    buds.noiseCycle = [1, 0, 1, 1]
    return serial(32, "Pixel Buds Pro 2", buds)
  }()
  /// OnePlus earbuds, with Oppo's protocol and every switch.
  public static let onePlus = serial(33, "OnePlus Buds 4", VirtualOppo.everySwitch)
  /// Soundcore earbuds with slide gestures.
  public static let liberty4Pro = serial(
    34, "soundcore Liberty 4 Pro", VirtualSoundcore.liberty4Pro)

  private static func family(
    _ number: UInt64, _ name: String, rssi: Int8, lowEnergy headphone: any VirtualLEHeadphone
  ) -> VirtualModel {
    family(number, name, rssi: rssi, .lowEnergy(VirtualLE(headphone)))
  }

  static func serial(
    _ number: UInt64, _ name: String, _ headphone: any VirtualSerialHeadphone
  ) -> VirtualModel {
    var model = family(number, name, rssi: -50, .serial(VirtualSerial(headphone)))
    model.audioAddress = BluetoothAddress(value: 0x0000_5E00_5380 | number)
    return model
  }

  private static func bud(_ side: Side, _ number: UInt64, level: UInt8) -> VirtualModel {
    let key = SetKey(Array(0xE0...0xEF)[...])
    return member(
      side, number, "LE Duo", rssi: side == .left ? -57 : -60, level: level,
      DeviceInformation(manufacturer: "Somebody", model: "LE Duo", firmware: "2.0.1"),
      key.map { .setMember(VirtualSetMember($0, side, random: UInt32(number))) })
  }

  private static func member(
    _ side: Side, _ number: UInt64, _ name: String, rssi: Int8, level: UInt8,
    _ information: DeviceInformation, _ own: VirtualFamily?
  ) -> VirtualModel {
    var model = family(number, name, rssi: rssi, own ?? .standard)
    model.information = information
    model.batteries = [side.part]
    model.levels = [side.part: level]
    model.describesBatteries = false
    return model
  }

  /// Returns a headphone of another maker, without the features of docs/protocol.md.
  static func family(
    _ number: UInt64, _ name: String, rssi: Int8, _ family: VirtualFamily
  ) -> VirtualModel {
    let address = BluetoothAddress(value: 0xC0DE_5E00_5380 | number)
    var model = VirtualModel(name: name, address: PeerAddress(address, .random))
    model.family = family
    model.features = []
    model.ancModes = []
    model.eqPresets = []
    model.bands = 0
    model.batteries = []
    model.levels = [:]
    model.drains = false
    model.rssi = rssi
    return model
  }
}

extension VirtualModel {
  /// The headphone of `--adapter virtual-unknown`, whose maker no driver knows.
  public static let unknown: [VirtualModel] = [
    family(
      38, "Example Buds", rssi: -51, lowEnergy: VirtualUnknown(levels: [0xCB, 72, 41]))
  ]
}

extension VirtualModel {
  /// The headphones of `--adapter virtual-le-audio`: two hearing aids, and two broadcast buds.
  public static let leAudio: [VirtualModel] = [.leftAid, .rightAid, .leftGate, .rightGate]

  /// The left one of two buds that can receive the broadcasts of an airport.
  public static let leftGate = gate(.left, 36, level: 88)
  /// The right one of the two buds.
  public static let rightGate = gate(.right, 37, level: 90)

  private static func gate(_ side: Side, _ number: UInt64, level: UInt8) -> VirtualModel {
    let key = SetKey(Array(0xB0...0xBF)[...])
    let bud = key.map { key in
      VirtualBroadcastBud(
        VirtualSetMember(key, side, random: UInt32(number)), air: VirtualBroadcast.airport)
    }
    return member(
      side, number, "Gate Buds", rssi: side == .left ? -64 : -66, level: level,
      DeviceInformation(manufacturer: "Somebody", model: "Gate Duo", firmware: "1.0.0"),
      bud.map { .broadcastBud($0) })
  }

  /// The left one of two hearing aids with four presets.
  public static let leftAid = aid(.left, 38, level: 71)
  /// The right hearing aid, which also supports ASHA.
  public static let rightAid = aid(.right, 35, level: 68)

  private static func aid(_ side: Side, _ number: UInt64, level: UInt8) -> VirtualModel {
    let key = SetKey(Array(0xA0...0xAF)[...])
    let features = HearingAidFeatures(
      .binaural, hasDynamicPresets: true, hasWritableNames: true)
    let presets = [
      HearingPreset(1, "Everyday", isWritable: true), HearingPreset(2, "Restaurant"),
      HearingPreset(4, "Outdoors"), HearingPreset(7, "Music", isWritable: true),
      HearingPreset(9, "Telephone", isAvailable: false),
    ]
    let aid = key.map { key in
      var aid = VirtualHearingAid(
        VirtualSetMember(key, side, random: UInt32(number)), features, presets, active: 1)
      if side == .right {
        aid.asha = [0x01, 0x03, 0x4A, 0x13, 1, 2, 3, 4, 5, 6, 0x01, 0, 0, 0, 0, 0x02, 0]
      }
      return aid
    }
    return member(
      side, number, "Hearing aids", rssi: side == .left ? -54 : -59, level: level,
      DeviceInformation(manufacturer: "Somebody", model: "Hearing Duo", firmware: "1.0.0"),
      aid.map { .hearingAid($0) })
  }
}
