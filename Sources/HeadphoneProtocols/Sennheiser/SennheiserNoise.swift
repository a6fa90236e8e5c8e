internal import BluetoothCodec

/// Noise control of Sennheiser's headphones: a switch, a dial, and modes with a state each.
///
/// | mode | states |
/// | --- | --- |
/// | 1 | wind reduction: 0 off, 1 most, 2 automatic |
/// | 2 | comfort: flag |
/// | 3 | adaptive: flag |
struct SennheiserNoise: Sendable {
  static let adaptive: UInt8 = 3
  private static let antiWind: UInt8 = 1
  private static let comfort: UInt8 = 2
  /// The end of the dial for full transparency; 0 is full cancelling.
  static let mostTransparent: UInt8 = 100

  /// Whether noise control is on, or nil if not reported.
  var isOn: Bool?
  /// The dial, or nil if not reported.
  var transparency: UInt8?
  /// The modes in the headphone's order.
  private var modes: [(mode: UInt8, state: UInt8)] = []
  /// The table of all modes in their current order, for a headphone that refuses a pair.
  private var wholeTable: [UInt8]?
  /// Whether the headphone has refused a pair, and needs the table.
  private var takesWholeTable = false

  var hasModes: Bool { !modes.isEmpty }

  /// Whether cancelling is adaptive, or nil if not reported.
  var adapts: Bool? {
    modes.first { $0.mode == Self.adaptive && $0.state <= 1 }.map { $0.state == 1 }
  }

  /// The noise control mode, or nil until switch and dial are known.
  private var mode: ANCMode? {
    guard let isOn, let transparency else { return nil }
    guard isOn else { return .off }
    return adapts == true ? .adaptive : transparency > 0 ? .transparency : .noiseCancelling
  }

  /// Returns the payload of a command for a mode.
  ///
  /// Sources disagree on its form: the mode and its state, or all modes with their states. The pair
  /// is tried first, and the table after a refusal.
  mutating func order(_ mode: UInt8, _ state: UInt8) -> [UInt8] {
    let table = modes.flatMap { [$0.mode, $0.mode == mode ? state : $0.state] }
    wholeTable = takesWholeTable ? nil : table
    return takesWholeTable ? table : [mode, state]
  }

  /// Returns the payload of a command for a setting, or nil if it is not a mode.
  mutating func order(_ id: SettingID, _ value: SettingValue) -> [UInt8]? {
    switch (id, value) {
    case (Self.wind.id, .choice(let name)):
      Self.winds.firstIndex(of: name).map { order(Self.antiWind, UInt8(clamping: $0)) }
    case (Self.comfortable.id, .toggle(let isOn)): order(Self.comfort, isOn ? 1 : 0)
    default: nil
    }
  }

  /// Records that the command succeeded.
  mutating func orderTaken() { wholeTable = nil }

  /// Returns the payload in its other form after a refusal, or nil if both were refused.
  mutating func orderRefused() -> [UInt8]? {
    takesWholeTable = wholeTable != nil
    return wholeTable.take()
  }

  /// Adopts pairs of a mode and its state, and skips invalid ones.
  mutating func adopt(
    modes reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    guard reader.remaining > 0, reader.remaining % 2 == 0 else {
      throw reader.malformed(.badLength(reader.remaining))
    }
    modes = []
    while !reader.isAtEnd {
      let (mode, state) = (try reader.uint8(), try reader.uint8())
      modes.append((mode, state))
      switch mode {
      case Self.antiWind where Int(state) < Self.winds.count:
        reported.apply(Self.wind, .choice(Self.winds[Int(state)]))
      case Self.antiWind: reported.apply(Self.wind, unnamed: state)
      case Self.comfort where state <= 1: reported.apply(Self.comfortable, .toggle(state == 1))
      case Self.adaptive where state <= 1: break
      case Self.comfort, Self.adaptive: reported.reject(reader.impossible(state))
      default: reported.skip("mode \(hexadecimal(mode, width: 2))")
      }
    }
  }

  func apply(to reported: inout ReportedValues) {
    guard let mode, let transparency else { return }
    reported.apply(mode)
    reported.apply(level: transparency)
  }

  private static let winds = ["off", "most", "automatic"]
  private static let wind = SettingDeclaration("wind-reduction", .choices(winds))
  private static let comfortable = SettingDeclaration("comfort")
}
