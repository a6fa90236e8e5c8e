/// The configurations of a Redmi Buds 5 Pro by number, as rows of the protocol's table.
///
/// | number | value | setting |
/// | --- | --- | --- |
/// | 02 | press, left, right each; FF in a command: unchanged | touch actions |
/// | 03, 04 | 0 off, 1 on | automatic answer; multipoint |
/// | 07 | number of a preset | equaliser preset |
/// | 09 | 0 stops, 1 starts; 1 left, 2 right, 3 both | none: ringing |
/// | 0A | left, right; FF in a command: unchanged | modes of the touch and hold gesture |
/// | 0B | mode, strength | noise control, strength of cancelling, kind of transparency |
/// | 0C | bit 3: left bud worn, bit 2: right bud worn | none: wearing |
///
/// Two projects publish the names and numbers, two others those of ringing and wearing. On a Redmi
/// Buds 5 Pro with this ``product``, noise control was written and read back, and all others were
/// read. Other products have other actions.
enum RedmiConfiguration {
  /// Xiaomi's number, then that of the Redmi Buds 5 Pro.
  static let product: UInt32 = 0x2717_506D

  static let touches: UInt8 = 0x02
  static let ringing: UInt8 = 0x09
  static let noise: UInt8 = 0x0B
  static let position: UInt8 = 0x0C
  static let all: [UInt8] = [touches, 0x03, 0x04, 0x07, 0x0A, noise]

  static let rows: [MakerRow] =
    [
      row(0x03, [.toggle("auto-answer")]), row(0x04, [.toggle(.multipoint)]),
      row(
        0x07,
        [
          .choice(
            .equaliserPreset,
            [
              ("standard", 0x00), ("treble", 0x06), ("bass", 0x05), ("voice", 0x01),
              ("custom", 0x0A),
            ])
        ]),
      row(
        0x0A,
        sides(
          "noise-cycle",
          [
            ("off-cancelling", 3), ("off-transparency", 5), ("cancelling-transparency", 6),
            ("off-cancelling-transparency", 7),
          ])),
      row(
        noise, of: 1,
        [
          .choice(
            "cancelling-strength", [("balanced", 0), ("light", 1), ("deep", 2)],
            modes: [.noiseCancelling])
        ]),
      row(
        noise, of: 2,
        [
          .choice(
            "transparency-kind", [("regular", 0), ("voice", 1), ("ambient", 2)],
            modes: [.transparency])
        ]),
      row(touches, of: 4, sides("tap", [("none", 8)] + actions)),
      row(touches, of: 1, sides("double-tap", actions)),
      row(touches, of: 2, sides("triple-tap", actions)),
      row(touches, of: 3, sides("hold", [("voice-assistant", 0), ("noise-control", 6)])),
    ]

  private static let actions: [(name: String, number: UInt16)] = [
    ("play-pause", 1), ("previous", 2), ("next", 3), ("volume-up", 4), ("volume-down", 5),
  ]

  /// Returns the row of a configuration, whose value begins with `kind` if there is one.
  private static func row(
    _ number: UInt8, of kind: UInt8? = nil, _ settings: [NumberedSetting]
  ) -> MakerRow {
    MakerRow(
      RedmiProtocol.question(number), prefix: kind.map { [$0] } ?? [],
      settings.map { .setting($0) }, set: RedmiProtocol.command(number), unchanged: 0xFF)
  }

  private static func sides(
    _ id: String, _ values: [(name: String, number: UInt16)]
  ) -> [NumberedSetting] {
    Side.allCases.map { .choice(SettingID(rawValue: "\(id)-\($0)"), values) }
  }
}
