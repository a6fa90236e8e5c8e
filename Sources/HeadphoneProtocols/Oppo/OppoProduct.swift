/// A product of Oppo, Realme or OnePlus, identified by the number that it reports.
///
/// Names, noise control, presets and the game mode switch are from the maker's own table
/// (Zhaoyi-ya/OppoPodsManager, Data/DeviceModels.json), except for Realme's noise control. One
/// project found that two products are locked (GazzasaurusRex/oneplus-buds-omarchy): they accept
/// commands only after a registration.
struct OppoProduct: Sendable {
  let name: String
  let noise: OppoNoise?
  /// The names of the equaliser presets, separated by spaces and numbered from 1.
  private let names: String?
  /// The number of the game mode switch: 06, or 28 on products that have both.
  let game: UInt8
  let isLocked: Bool

  private init(
    _ name: String, _ noise: OppoNoise? = nil, _ names: String? = nil, game: UInt8 = 0x06,
    isLocked: Bool = false
  ) {
    self.name = name
    self.noise = noise
    self.names = names
    self.game = game
    self.isLocked = isLocked
  }

  var presets: [UInt8: String] {
    guard let names else { return Self.usualPresets }
    let first = name.hasPrefix("OnePlus") ? "balanced" : "original"
    let all = [names.contains(first) ? "-" : first] + names.split(separator: " ").map(String.init)
    let numbered = all.enumerated().map { (UInt8(clamping: $0), $1) }
    return Dictionary(uniqueKeysWithValues: numbered).filter { $0.value != "-" }
  }

  static let usualPresets: [UInt8: String] = [
    0: "original", 1: "bass", 2: "vocal", 3: "clear-bass",
  ]

  /// The products by number; "-" stands for an unnamed preset.
  static let all: [UInt32: OppoProduct] = [
    0x061810: OppoProduct("OPPO Enco Air"),
    0x068810: OppoProduct("OPPO Enco Air 3i", nil, "bass bright"),
    0x062810: OppoProduct("OPPO Enco Air Lite"),
    0x063410: OppoProduct("OPPO Enco Air2", nil, "bass bright"),
    0x066C10: OppoProduct("OPPO Enco Air2 New Sound", nil, "bass bright"),
    0x063810: OppoProduct("OPPO Enco Air2 Pro", .simple, "bass bright"),
    0x064410: OppoProduct("OPPO Enco Air2i", nil, "bass bright"),
    0x064C10: OppoProduct("OPPO Enco Air3", nil, "bass bright"),
    0x065C10: OppoProduct("OPPO Enco Air3 Pro", .layered, "bass vocal"),
    0x067010: OppoProduct("OPPO Enco Air3i", nil, "bass bright"),
    0x067810: OppoProduct("OPPO Enco Air3s", nil, "bass bright"),
    0x069010: OppoProduct("OPPO Enco Air4", .simple, "bass bright"),
    0x06B050: OppoProduct("OPPO Enco Air4 New Sound", nil, "vocal bass"),
    0x067C10: OppoProduct("OPPO Enco Air4 Pro", .layered, "bass bright"),
    0x069850: OppoProduct("OPPO Enco Air4i", nil, "vocal bass", game: 0x28),
    0x06F010: OppoProduct("OPPO Enco Air4s", .simple, "bass bright"),
    0x06D810: OppoProduct("OPPO Enco Air5", .layered, "vocal bass", game: 0x28),
    0x06C410: OppoProduct("OPPO Enco Air5 Pro", .layered, "bass vocal", game: 0x28),
    0x06C810: OppoProduct("OPPO Enco Air5s", .threeStrengths, "bass vocal", game: 0x28),
    0x06E810: OppoProduct("OPPO Enco Air5s Starlight", .threeStrengths, "bass vocal", game: 0x28),
    0x062410: OppoProduct("OPPO Enco Buds"),
    0x064810: OppoProduct("OPPO Enco Buds2", nil, "bass bright"),
    0x068010: OppoProduct("OPPO Enco Buds2 Pro", nil, "bright bass"),
    0x06A450: OppoProduct("OPPO Enco Buds3", nil, "vocal bass"),
    0x06A850: OppoProduct("OPPO Enco Buds3 Pro", nil, "vocal bass", game: 0x28),
    0x06A010: OppoProduct("OPPO Enco Buds3 Pro+", .simple, "bass bright"),
    0x06B810: OppoProduct("OPPO Enco Clip", nil, "dynamic vocal"),
    0x06E010: OppoProduct("OPPO Enco Clip2", nil, "- vocal dynamic dynaudio"),
    0x060410: OppoProduct("OPPO Enco Free"),
    0x062010: OppoProduct("OPPO Enco Free2", .simple, "bass bright clear"),
    0x064010: OppoProduct("OPPO Enco Free2i", .simple, "bass bright clear"),
    0x066010: OppoProduct("OPPO Enco Free3", .layered, "bass vocal"),
    0x068C10: OppoProduct("OPPO Enco Free4", .adaptive, "vocal bass"),
    0x06C010: OppoProduct("OPPO Enco Free4 Dynaudio", .adaptive, "vocal bass dynaudio"),
    0x050410: OppoProduct("OPPO Enco M31"),
    0x050810: OppoProduct("OPPO Enco M32"),
    0x050C10: OppoProduct("OPPO Enco M33", .simple, "bass bright"),
    0x061C10: OppoProduct("OPPO Enco Play"),
    0x050010: OppoProduct("OPPO Enco Quiet"),
    0x063010: OppoProduct("OPPO Enco R", nil, "bass bright clear"),
    0x065010: OppoProduct("OPPO Enco R Pro", .simple, "bass bright"),
    0x065810: OppoProduct("OPPO Enco R2", nil, "bass bright"),
    0x068410: OppoProduct("OPPO Enco R3", nil, "bass bright"),
    0x069C10: OppoProduct("OPPO Enco R3 Pro", .layered, "bass bright"),
    0x06AC50: OppoProduct("OPPO Enco R4", nil, "vocal bass", game: 0x28),
    0x06B450: OppoProduct("OPPO Enco R5", nil, "vocal bass"),
    0x061010: OppoProduct("OPPO Enco W11"),
    0x060810: OppoProduct("OPPO Enco W31"),
    0x062C10: OppoProduct("OPPO Enco W31 Lite"),
    0x060C10: OppoProduct("OPPO Enco W51"),
    0x061410: OppoProduct("OPPO Enco X", .twoStrengths, ""),
    0x063C10: OppoProduct("OPPO Enco X2", .layered, ""),
    0x067410: OppoProduct("OPPO Enco X3", .layered, "detail vocal bass - - - dynaudio", game: 0x28),
    0x066810: OppoProduct("OPPO Enco X3i", .layered, "bass bright"),
    0x06BC10: OppoProduct("OPPO Enco X3s", .adaptive, "vocal bass dynaudio"),
    0x060412: OppoProduct("OPPO O-Free"),
    0x060812: OppoProduct("realme Buds Air 3"),
    0x061812: OppoProduct("realme Buds Air 3 Neo"),
    0x061012: OppoProduct("realme Buds Air 3S"),
    0x062012: OppoProduct("realme Buds Air 5"),
    0x061C12: OppoProduct("realme Buds Air 5 Pro"),
    0x063412: OppoProduct("realme Buds Air6"),
    0x063012: OppoProduct("realme Buds Air6 Pro"),
    0x064812: OppoProduct("realme Buds Air7", .realme),
    0x064C12: OppoProduct("realme Buds Air7 Pro", .realme),
    0x066812: OppoProduct("realme Buds Air8"),
    0x066C12: OppoProduct("realme Buds Air8 Pro"),
    0x065C12: OppoProduct("realme Buds Clip"),
    0x064012: OppoProduct("realme Buds N1"),
    0x063812: OppoProduct("realme Buds N1 Pro"),
    0x060C12: OppoProduct("realme Buds Q2s"),
    0x064412: OppoProduct("realme Buds T01"),
    0x061412: OppoProduct("realme Buds T100"),
    0x062812: OppoProduct("realme Buds T110"),
    0x065452: OppoProduct("realme Buds T200"),
    0x065052: OppoProduct("realme Buds T200 Lite"),
    0x065852: OppoProduct("realme Buds T200x"),
    0x062412: OppoProduct("realme Buds T300"),
    0x063C12: OppoProduct("realme Buds T310"),
    0x067052: OppoProduct("realme Buds T500"),
    0x066452: OppoProduct("realme Buds T500 Pro"),
    0x067452: OppoProduct("realme Buds T500 Pro Harry Potter"),
    0x050412: OppoProduct("realme Buds Wireless 2S"),
    0x050812: OppoProduct("realme Buds Wireless 3"),
    0x050C12: OppoProduct("realme Buds Wireless 3 Neo"),
    0x051412: OppoProduct("realme Buds Wireless 5 ANC", .realme),
    0x051C52: OppoProduct("realme Buds Wireless 6"),
    0x052052: OppoProduct("realme Buds Wireless 6 ANC"),
    0x051812: OppoProduct("realme Buds Wireless 6 Neo"),
    0x066012: OppoProduct("realme TechLife Buds"),
    0x060414: OppoProduct("OnePlus Buds"),
    0x068414: OppoProduct("OnePlus Buds"),
    0x063C14: OppoProduct("OnePlus Buds 3", .layered, "bass vocal", game: 0x28),
    0x066054: OppoProduct("OnePlus Buds 3V", nil, "bass vocal", game: 0x28),
    0x065414: OppoProduct("OnePlus Buds 4", .adaptive, "vocal bass"),
    0x062814: OppoProduct("OnePlus Buds Ace", .simple, "bass bright"),
    0x064C14: OppoProduct("OnePlus Buds Ace 2", .simple, "- - balanced vocal bass"),
    0x066414: OppoProduct("OnePlus Buds Ace 3", .layered, "bass vocal", game: 0x28),
    0x061814: OppoProduct("OnePlus Buds N", nil, "bass vocal bright"),
    0x060C14: OppoProduct("OnePlus Buds Pro", .budsPro, "bass vocal bright", isLocked: true),
    0x062014: OppoProduct("OnePlus Buds Pro 2", .layered, "bass vocal bright", isLocked: true),
    0x063014: OppoProduct("OnePlus Buds Pro 2 Lite", .layered, "bass vocal bright"),
    0x063414: OppoProduct("OnePlus Buds Pro 2R", .layered, "bass vocal bright"),
    0x064014: OppoProduct(
      "OnePlus Buds Pro 3", .layered, "bright vocal bass - - - dynaudio", game: 0x28),
    0x064814: OppoProduct("OnePlus Buds V", nil, "bright bass"),
    0x060814: OppoProduct("OnePlus Buds Z"),
    0x068814: OppoProduct("OnePlus Buds Z"),
    0x061014: OppoProduct("OnePlus Buds Z2", .twoStrengths, "bass vocal bright"),
    0x050414: OppoProduct("OnePlus Bullets Wireless Z2"),
    0x050C14: OppoProduct("OnePlus Bullets Wireless Z2 ANC", .simple, "bass bright vocal"),
    0x051014: OppoProduct("OnePlus Bullets Wireless Z3", nil, "bass bright vocal"),
    0x067414: OppoProduct("OnePlus Flow Buds", .threeStrengths, "bass vocal", game: 0x28),
    0x061414: OppoProduct("OnePlus Nord Buds", nil, "bass vocal bright"),
    0x062414: OppoProduct("OnePlus Nord Buds 2", .simple, "bass bright vocal"),
    0x062C14: OppoProduct("OnePlus Nord Buds 2r", nil, "bright bass"),
    0x065014: OppoProduct("OnePlus Nord Buds 3", .simple, "- - balanced vocal bass"),
    0x064414: OppoProduct("OnePlus Nord Buds 3 Pro", .layered, "- - balanced vocal bass"),
    0x065854: OppoProduct("OnePlus Nord Buds 3r", nil, "bass vocal", game: 0x28),
    0x067014: OppoProduct("OnePlus Nord Buds 4", .layered, "vocal bass", game: 0x28),
    0x066814: OppoProduct("OnePlus Nord Buds 4 Pro", .layered, "bass vocal", game: 0x28),
    0x061C14: OppoProduct("OnePlus Nord Buds CE", nil, "bass vocal soft"),
    0x065C14: OppoProduct("OnePlus Open Buds", nil, "dynamic vocal"),
    0xC70A6D: OppoProduct("realme Buds Wireless 2 Neo"),
    0xC70A6E: OppoProduct("DIZO Wireless"),
    0xC70A6F: OppoProduct("DIZO GoPods D"),
    0xC70A70: OppoProduct("DIZO GoPods"),
  ]
}
