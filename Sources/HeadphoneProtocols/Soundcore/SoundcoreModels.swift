enum SoundcoreModels {
  /// The maker's names by number, from the list of another project and the reports of its users.
  static let names: [UInt16: String] = [
    0x1200: "Liberty Buds", 0x1202: "P31i / R60i NC", 0x1203: "Liberty 5 Pro",
    0x1204: "Liberty 5 Pro Max",
    0x3004: "Q20i", 0x3027: "Life Q35", 0x3028: "Life Q30", 0x3029: "Life Tune",
    0x3030: "Life Tune Pro", 0x3031: "Vortex", 0x3033: "Life 2 Neo", 0x3035: "Space One",
    0x3040: "Space Q45", 0x3062: "Space One Pro",
    0x3909: "Liberty 2 Pro", 0x3926: "Life Dot 2S", 0x3930: "Liberty 2 Pro+",
    0x3931: "Life Dot 2 NC", 0x3933: "Life Note 3", 0x3935: "Life A2 NC", 0x3936: "Space A40",
    0x3939: "Life P3", 0x3945: "Life Note 3S", 0x3947: "Liberty 4 NC", 0x3948: "A20i",
    0x3949: "P20i / P25i / R50i", 0x3951: "Liberty Air 2 Pro", 0x3952: "Liberty 3 Pro",
    0x3953: "Liberty 4", 0x3954: "Liberty 4 Pro", 0x3955: "P40i", 0x3957: "Liberty 5",
    0x3959: "P30i / R50i NC", 0x3968: "Sport X20",
  ]

  static func name(of number: UInt16) -> String? { names[number] }

  static func number(inSerial serial: some Collection<UInt8>) -> UInt16? {
    let number = UInt16(String(decoding: serial.prefix(4), as: UTF8.self), radix: 16)
    return number.flatMap { names[$0] == nil ? nil : $0 }
  }
}
