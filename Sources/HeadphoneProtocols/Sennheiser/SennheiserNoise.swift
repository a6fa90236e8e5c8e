internal import BluetoothCodec

/// The noise control of Sennheiser's headphones: a switch, a dial, and modes with a state each.
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
  /// The dial's value for full transparency; 0 is full cancelling.
  static let mostTransparent: UInt8 = 100

  var isOn: Bool?
  var transparency: UInt8?
  private var modes: [(mode: UInt8, state: UInt8)] = []
  /// All modes and states, to be sent if the headphone rejects a single pair, or nil if none
  /// was sent.
  private var wholeTable: [UInt8]?
  private var takesWholeTable = false

  var hasModes: Bool { !modes.isEmpty }

  var adapts: Bool? {
    modes.first { $0.mode == Self.adaptive && $0.state <= 1 }.map { $0.state == 1 }
  }

  private var mode: ANCMode? {
    guard let isOn, let transparency else { return nil }
    guard isOn else { return .off }
    return adapts == true ? .adaptive : transparency > 0 ? .transparency : .noiseCancelling
  }

  /// Returns the payload of a command that sets the state of a mode.
  ///
  /// Sources disagree on its form. One mode and its state are tried first, then the table of all
  /// modes if the headphone rejects the pair.
  mutating func order(_ mode: UInt8, _ state: UInt8) -> [UInt8] {
    let table = modes.flatMap { [$0.mode, $0.mode == mode ? state : $0.state] }
    wholeTable = takesWholeTable ? nil : table
    return takesWholeTable ? table : [mode, state]
  }

  mutating func order(_ id: SettingID, _ value: SettingValue) -> [UInt8]? {
    switch (id, value) {
    case (Self.wind.id, .choice(let name)):
      Self.winds.firstIndex(of: name).map { order(Self.antiWind, UInt8(clamping: $0)) }
    case (Self.comfortable.id, .toggle(let isOn)): order(Self.comfort, isOn ? 1 : 0)
    default: nil
    }
  }

  mutating func orderTaken() { wholeTable = nil }

  mutating func orderRefused() -> [UInt8]? {
    takesWholeTable = wholeTable != nil
    return wholeTable.take()
  }

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
