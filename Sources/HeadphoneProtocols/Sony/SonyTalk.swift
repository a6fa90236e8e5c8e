internal import BluetoothCodec

/// The configuration of speak to chat: commands FA to FD, which always contain all values.
///
/// | generation | payload of FB, FC and FD |
/// | --- | --- |
/// | first | 05 00, sensitivity, focus on voice, end |
/// | second | 0C, sensitivity, end |
///
/// Recorded with a WH-1000XM4.
struct SonyTalk: Hashable, Sendable {
  /// The sensitivity to speech: 0 automatic, 1 high, 2 low.
  private var sensitivity: UInt8
  /// Whether voices have priority, or nil in the second generation, which does not report it.
  private var focuses: UInt8?
  /// The time after which a chat ends: 0 short, 1 standard, 2 long, 3 never.
  private var end: UInt8

  /// The values that are sent to a headphone of the first generation that has not reported any.
  static let standard = SonyTalk(sensitivity: 0, focuses: 0, end: 1)
  static let question: UInt8 = 0xFA

  private init(sensitivity: UInt8, focuses: UInt8?, end: UInt8) {
    (self.sensitivity, self.focuses, self.end) = (sensitivity, focuses, end)
  }

  init(
    _ reader: inout ByteReader, _ generation: SonyProtocol.Generation
  ) throws(MalformedBytes) {
    let isFirst = generation == .first
    _ = try reader.uint8(in: Self.type(generation)...Self.type(generation))
    if isFirst { _ = try reader.uint8(in: 0...0) }
    sensitivity = try reader.uint8()
    focuses = isFirst ? try reader.uint8() : nil
    end = try reader.uint8()
  }

  static func type(_ generation: SonyProtocol.Generation) -> UInt8 {
    generation == .first ? 0x05 : 0x0C
  }

  func payload(_ generation: SonyProtocol.Generation) -> [UInt8] {
    [Self.question + 2, Self.type(generation)]
      + (focuses.map { [0x00, sensitivity, $0, end] } ?? [sensitivity, end])
  }

  private static let sensitivities = ["automatic", "high", "low"]
  private static let ends = ["short", "standard", "long", "never"]
  private static let sensitivity = SettingDeclaration(
    "speak-to-chat-sensitivity", .choices(["automatic", "low", "high"]))
  private static let focus = SettingDeclaration("speak-to-chat-voice")
  private static let end = SettingDeclaration("speak-to-chat-end", .choices(ends))

  var settings: [(SettingDeclaration, SettingValue)] {
    [(Self.sensitivity, .choice(Self.name(sensitivity, of: Self.sensitivities)))]
      + (focuses.flatMap { [0: false, 1: true][$0] }.map { [(Self.focus, .toggle($0))] } ?? [])
      + [(Self.end, .choice(Self.name(end, of: Self.ends)))]
  }

  private static func name(_ number: UInt8, of names: [String]) -> String {
    number < names.count ? names[Int(number)] : "\(number)"
  }

  var mistake: MalformedBytes? {
    focuses.flatMap {
      $0 > 1 ? MalformedBytes("Sony chat", at: 4, .badValue(UInt64($0))) : nil
    }
  }

  func with(_ id: SettingID, _ value: SettingValue) -> SonyTalk? {
    var changed = self
    switch (id, value) {
    case (Self.sensitivity.id, .choice(let name)):
      guard let index = Self.sensitivities.firstIndex(of: name) else { return nil }
      changed.sensitivity = UInt8(index)
    case (Self.end.id, .choice(let name)):
      guard let index = Self.ends.firstIndex(of: name) else { return nil }
      changed.end = UInt8(index)
    case (Self.focus.id, .toggle(let isOn)): changed.focuses = isOn ? 1 : 0
    default: return nil
    }
    return changed
  }
}
