internal import BluetoothCodec

/// How speak to chat listens and when it ends: commands FA to FD, of which a command writes all.
///
/// | generation | payload of FB, FC and FD |
/// | --- | --- |
/// | first | 05 00, sensitivity, focus on voice, end |
/// | second | 0C, sensitivity, end |
///
/// Recorded from a WH-1000XM4.
struct SonyTalk: Hashable, Sendable {
  /// 0 automatic, 1 high, 2 low.
  private var sensitivity: UInt8
  /// Nil: the second generation does not report it.
  private var focuses: Bool?
  /// 0 short, 1 standard, 2 long, 3 never by itself.
  private var end: UInt8

  /// What is sent to a first-generation headphone that has not reported its own.
  static let standard = SonyTalk(sensitivity: 0, focuses: false, end: 1)
  static let question: UInt8 = 0xFA

  private init(sensitivity: UInt8, focuses: Bool?, end: UInt8) {
    (self.sensitivity, self.focuses, self.end) = (sensitivity, focuses, end)
  }

  /// Decodes what follows the command.
  ///
  /// - Throws: `MalformedBytes` for a value without a name: a command would write it back.
  init(
    _ reader: inout ByteReader, _ generation: SonyProtocol.Generation
  ) throws(MalformedBytes) {
    let isFirst = generation == .first
    _ = try reader.uint8(in: Self.type(generation)...Self.type(generation))
    if isFirst { _ = try reader.uint8(in: 0...0) }
    sensitivity = try reader.uint8(in: 0...2)
    focuses = isFirst ? try reader.flag() : nil
    end = try reader.uint8(in: 0...3)
  }

  /// The byte behind the command.
  static func type(_ generation: SonyProtocol.Generation) -> UInt8 {
    generation == .first ? 0x05 : 0x0C
  }

  /// The payload of the command.
  func payload(_ generation: SonyProtocol.Generation) -> [UInt8] {
    [Self.question + 2, Self.type(generation)]
      + (focuses.map { [0x00, sensitivity, $0 ? 1 : 0, end] } ?? [sensitivity, end])
  }

  private static let sensitivities = ["automatic", "high", "low"]
  private static let ends = ["short", "standard", "long", "never"]
  private static let sensitivity = SettingDeclaration(
    "speak-to-chat-sensitivity", SettingDeclaration.choices(["automatic", "low", "high"]),
    title: "Chat sensitivity", label: "Talk at", group: .noise)
  private static let focus = SettingDeclaration(
    "speak-to-chat-voice", .toggle, title: "Focus on voice in chat", label: "Talk to",
    group: .noise)
  private static let end = SettingDeclaration(
    "speak-to-chat-end", SettingDeclaration.choices(ends), title: "Chat ends after",
    label: "Ends in", group: .noise)

  /// The settings and their values.
  var settings: [(SettingDeclaration, SettingValue)] {
    [(Self.sensitivity, .choice(Self.sensitivities[Int(sensitivity)]))]
      + (focuses.map { [(Self.focus, .toggle($0))] } ?? [])
      + [(Self.end, .choice(Self.ends[Int(end)]))]
  }

  /// The same with one setting changed; nil: it is none of these.
  func with(_ id: SettingID, _ value: SettingValue) -> SonyTalk? {
    var changed = self
    switch (id, value) {
    case (Self.sensitivity.id, .choice(let name)):
      guard let index = Self.sensitivities.firstIndex(of: name) else { return nil }
      changed.sensitivity = UInt8(index)
    case (Self.end.id, .choice(let name)):
      guard let index = Self.ends.firstIndex(of: name) else { return nil }
      changed.end = UInt8(index)
    case (Self.focus.id, .toggle(let isOn)): changed.focuses = isOn
    default: return nil
    }
    return changed
  }
}
