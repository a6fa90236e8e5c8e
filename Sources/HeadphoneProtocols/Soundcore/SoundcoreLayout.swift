/// The layout of a Soundcore model's answer to command 0101: offsets in bytes, or nil for absent
/// values, and scales.
public struct SoundcoreLayout: Hashable, Sendable {
  /// The battery level, 1 byte for each bud or for the headband.
  public var battery: Int?
  /// The charging state, 0 or 1, 1 byte for each bud or for the headband.
  public var charging: Int?
  /// The preset (2 bytes) and 8 bands; see ``SoundcoreEQ``.
  public var eq: Int?
  /// The sound modes (`SoundcoreSoundModes`).
  public var soundModes: Int?
  /// The firmware version, 5 characters for each bud or for the headband.
  public var firmware: Int?
  /// The serial number, 16 characters.
  public var serial: Int?

  /// Whether the state describes two buds, left before right, and begins with the bud that reports
  /// and whether the other one is connected to it.
  var hasBuds = false
  var scale = BatteryScale.steps(5)
  /// The number of bytes in the equaliser for each bud or for the headband.
  var eqWidth = SoundcoreEQ.bandCount
  var eqBytes: Int { 2 + eqWidth * (hasBuds ? 2 : 1) }
  var caseLevel: Int?
  var caseScale = BatteryScale.steps(5)
  var modesWidth = 4
  var hasPairedDevices = false
  /// The presses and their actions, for models of which a state is public.
  var presses: [SoundcorePress] = []
  var settings: [SoundcoreSetting] = []

  public init() {}
}

extension SoundcoreLayout {
  private static let headband = with {
    ($0.battery, $0.charging, $0.firmware, $0.serial) = (0, 1, 2, 7)
  }
  /// Life Q30 and similar: battery, charging, equaliser, sound modes, then firmware and serial
  /// number.
  private static let firstHeadband = with {
    ($0.battery, $0.charging, $0.eq, $0.soundModes) = (0, 1, 2, 35)
    ($0.firmware, $0.serial) = (39, 44)
  }
  private static let plainHeadband = with {
    ($0.battery, $0.charging, $0.eq, $0.firmware, $0.serial) = (0, 1, 2, 12, 17)
  }
  /// Older buds: host, connection, level and charging of each, equaliser of each; no firmware.
  private static let firstBuds = with { ($0.hasBuds, $0.battery, $0.charging) = (true, 2, 4) }
  /// Buds: host, connection, level and charging of each, firmware of each, serial number.
  private static let buds = with {
    ($0.hasBuds, $0.battery, $0.charging, $0.firmware, $0.serial) = (true, 2, 4, 6, 16)
  }
  private static let ten = BatteryScale.steps(10, plus: 1)

  private static func with(_ change: (inout Self) -> Void) -> Self { Self().with(change) }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var layout = self
    change(&layout)
    return layout
  }

  private func modes(_ place: Int, width: Int) -> Self {
    with { ($0.soundModes, $0.modesWidth) = (place, width) }
  }

  private func `case`(_ place: Int, _ scale: BatteryScale = .steps(5)) -> Self {
    with { ($0.caseLevel, $0.caseScale) = (place, scale) }
  }

  private func equaliser(_ place: Int, width: Int = SoundcoreEQ.bandCount) -> Self {
    with { ($0.eq, $0.eqWidth) = (place, width) }
  }

  private func scaled(_ scale: BatteryScale) -> Self { with { $0.scale = scale } }

  private func set(_ settings: SoundcoreSetting...) -> Self { with { $0.settings = settings } }

  private func pressed(_ presses: [SoundcorePress]) -> Self { with { $0.presses += presses } }

  private func fourPresses(_ place: Int) -> Self {
    let actions = SoundcorePress.Actions.withNoise.orNone
    return pressed(
      SoundcorePress.ofBuds(
        at: place, [(.single, actions), (.double, actions), (.triple, actions), (.hold, actions)]))
  }

  private static let plainBuds: Self = {
    let actions = SoundcorePress.Actions.withAssistant.orNone
    return buds.pressed(
      SoundcorePress.ofBuds(
        at: 55, hasSwitches: true, [(.single, actions), (.double, actions), (.hold, actions)]))
  }()
  private static let spaceA40: Self = {
    let actions = SoundcorePress.Actions.withGameMode
    return buds.modes(117, width: 6).case(124, .steps(10)).withDevices.pressed(
      SoundcorePress.ofBuds(
        at: 104, hasSwitches: true, [(.single, .plain), (.double, actions), (.hold, actions)])
    ).set(
      .touchTone(123), .ldac(126), .twoDevices(127), .autoPowerOff(128, isLong: true),
      .gameMode(130, 0x0187))
  }()
  private static let liberty4NC: Self = {
    let actions = SoundcorePress.Actions.withNoise.orNone
    return buds.modes(126, width: 7).case(139).pressed(
      SoundcorePress.ofBuds(
        at: 109, hasSwitches: true,
        [(.single, actions), (.double, actions), (.hold, actions), (.triple, actions)])
    ).set(
      .leakage(141), .gameMode(143, 0x1085), .touchTone(144), .surround(148), .volumeLimit(149),
      .pause(152), .wearingTone(153), .autoPowerOff(154, isLong: false), .touchLock(156),
      .batteryPrompt(157))
  }()
  private static let liberty3Pro: Self = {
    let actions = SoundcorePress.Actions.withNoise
    return buds.modes(121, width: 6).case(130).pressed(
      SoundcorePress.ofBuds(
        at: 104, hasSwitches: true, [(.single, actions), (.double, actions), (.hold, actions)])
    ).set(.touchTone(127), .ldac(133), .wearingTone(136), .autoPowerOff(138, isLong: true))
  }()
  private static let liberty4Pro = buds.modes(125, width: 4).scaled(.percent).case(37, ten)
    .withDevices.fourPresses(116).pressed(
      SoundcorePress.ofBuds(
        at: 161, [(.slideUp, .louder.orNone), (.slideDown, .quieter.orNone)])
    ).set(
      .batteryPrompt(140), .ldac(141), .twoDevices(142), .autoPowerOff(143, isLong: false),
      .volumeLimit(145), .leakage(153))
  private static let sportX20: Self = {
    let actions = SoundcorePress.Actions.withNoise.orNone
    return buds.modes(117, width: 6).case(37).withDevices.pressed(
      SoundcorePress.ofBuds(
        at: 110, [(.single, .plain.orNone), (.double, actions), (.hold, actions)])
    ).set(
      .surround(124), .twoDevices(126), .touchTone(127), .autoPowerOff(128, isLong: false))
  }()
  private static let p40i = buds.modes(119, width: 7).case(37).withDevices.fourPresses(110).set(
    .personalisedCancelling(132), .touchTone(134), .twoDevices(135), .volumeLimit(136),
    .autoPowerOff(139, isLong: false), .batteryPrompt(142))
  private static let liberty5 = newBuds.modes(119, width: 7).withDevices.fourPresses(110).set(
    .wearingTone(127), .batteryPrompt(128), .ldac(129), .twoDevices(130),
    .autoPowerOff(131, isLong: false), .volumeLimit(133), .leakage(143), .touchTone(145),
    .gameMode(146, 0x1085))
  private static let p30i = buds.modes(64, width: 7).scaled(.steps(10)).withDevices.fourPresses(55)
    .set(
      .touchTone(72), .twoDevices(73), .autoPowerOff(75, isLong: false), .batteryPrompt(77),
      .gameMode(78, 0x0187))
  private static let spaceOne = headband.modes(69, width: 6).withDevices.pressed(
    SoundcorePress.ofButton(at: 67)
  ).set(
    .pause(76), .ldac(81), .twoDevices(82), .autoPowerOff(85, isLong: true), .volumeLimit(87),
    .voicePrompts(90), .batteryPrompt(91, 0x01AF))
  private static let spaceQ45 = headband.modes(49, width: 6).withDevices.pressed(
    SoundcorePress.ofButton(at: 47)
  ).set(
    .ldac(61), .twoDevices(62), .autoPowerOff(65, isLong: true), .volumeLimit(67),
    .voicePrompts(70), .batteryPrompt(71, 0x01AF))
  private static let spaceOnePro = headband.modes(69, width: 6).scaled(ten).withDevices.pressed(
    SoundcorePress.ofButton(at: 67)
  ).set(
    .surround(77), .ldac(78), .twoDevices(79), .autoPowerOff(80, isLong: true), .volumeLimit(82),
    .sidetone(85), .voicePrompts(86))
  /// The layout of a Life Q30; with older firmware, its state ends before the settings.
  private static let lifeQ30 = firstHeadband.set(
    .touchTone(61), .twoDevices(62), .autoPowerOff(63, isLong: true))
  private static let lifeNote3 = buds.equaliser(32, width: 10)

  /// Buds of the same generation as the Liberty 5.
  private static let newBuds = buds.scaled(ten).case(37, ten)

  private var withDevices: Self { with { $0.hasPairedDevices = true } }

  /// The models by their number, as it appears in service and serial number: A3947 is 0x3947.
  ///
  /// From the published layouts of another project. States in its tests confirm thirteen, and a
  /// recorded state those of P31i and R60i NC (1202) and Liberty Buds (1200).
  static let models: [UInt16: SoundcoreLayout] = [
    0x1200: newBuds.modes(119, width: 7), 0x1202: newBuds.modes(119, width: 8),
    0x3004: headband.modes(35, width: 4),
    0x3027: firstHeadband, 0x3028: lifeQ30, 0x3029: firstHeadband, 0x3030: firstHeadband,
    0x3031: firstBuds.equaliser(6).modes(36, width: 4),
    0x3033: plainHeadband,
    0x3035: spaceOne, 0x3040: spaceQ45, 0x3062: spaceOnePro,
    0x3909: firstBuds, 0x3926: firstBuds, 0x3948: plainBuds, 0x3949: plainBuds,
    0x3931: firstBuds.modes(36, width: 4), 0x3935: firstBuds.modes(36, width: 4),
    0x3930: firstBuds.modes(77, width: 4), 0x3951: firstBuds.modes(77, width: 4),
    0x3933: lifeNote3, 0x3939: lifeNote3, 0x3945: lifeNote3,
    0x3936: spaceA40, 0x3947: liberty4NC, 0x3952: liberty3Pro, 0x3954: liberty4Pro, 0x3955: p40i,
    0x3957: liberty5, 0x3959: p30i, 0x3968: sportX20,
  ]

  /// Returns the model whose serial number is at its offset in a state, or nil if there is none.
  static func number(in state: [UInt8]) -> UInt16? {
    models.first { number, layout in
      guard let serial = layout.serial else { return false }
      return SoundcoreModels.number(inSerial: state.dropFirst(serial)) == number
    }?.key
  }

  /// Returns the number of bytes in a command for sound modes, or nil if it is unknown and nothing
  /// must be sent.
  ///
  /// A command of another length than the model's changes the settings after the sound modes. The
  /// P31i reports 8 bytes and expects 6. The Liberty 5 reports 7, and sources disagree on its
  /// command; that of the Liberty Buds, of the same generation, is unknown. An unknown model is
  /// sent 4 or 6 bytes as it reports them, which no known model contradicts.
  static func commandWidth(of number: UInt16?, reported: Int) -> Int? {
    switch number {
    case 0x3957, 0x1200: return nil
    case 0x1202: return reported == 8 ? 6 : nil
    default:
      guard let layout = number.flatMap({ models[$0] }) else {
        return [4, 6].contains(reported) ? reported : nil
      }
      return layout.soundModes != nil && layout.modesWidth == reported ? reported : nil
    }
  }
}

// MARK: Form

extension SoundcoreLayout {
  /// The layouts for unknown models, with firmware and serial number where known models have them.
  static let withoutModel = [buds, headband].map { layout in
    layout.with { ($0.battery, $0.charging) = (nil, nil) }
  }

  /// Returns whether a state has this layout: long enough, with a valid version and serial number.
  func fits(_ state: [UInt8]) -> Bool {
    let ends = [
      battery.map { $0 + parts }, charging.map { $0 + parts }, eq.map { $0 + eqBytes },
      soundModes.map { $0 + modesWidth }, firmware.map { $0 + 5 * parts }, serial.map { $0 + 16 },
      caseLevel.map { $0 + 1 },
    ]
    guard let end = ends.compactMap(\.self).max(), end <= state.count else { return false }
    // The first bytes tell which bud reports, and whether the other one is connected.
    if hasBuds, battery != nil, !state.prefix(2).allSatisfy({ $0 <= 1 }) { return false }
    return (firmware == nil || !versions(in: state).isEmpty)
      && (serial.map { Self.isSerial(state[$0..<$0 + 16]) } ?? true)
  }

  /// Returns the firmware versions of the buds; a missing bud has no text in its place.
  func versions(in state: [UInt8]) -> [[UInt8]] {
    guard let firmware else { return [] }
    return (0..<parts).map { Array(state[firmware + 5 * $0..<firmware + 5 * $0 + 5]) }
      .filter(Self.isVersion)
  }

  private var parts: Int { hasBuds ? 2 : 1 }

  /// Returns whether bytes are a version in the form of all models, "05.24".
  static func isVersion(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.elementsEqual("00.00".utf8) { byte, form in
      form == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == form
    }
  }

  static func isSerial(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.allSatisfy { byte in
      [0x30...0x39, 0x41...0x5A, 0x61...0x7A].contains { $0.contains(byte) }
    }
  }
}
