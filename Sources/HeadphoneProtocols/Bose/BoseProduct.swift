enum BoseProduct {
  /// The product numbers of headphones with four built-in modes.
  static let ultra: Set<UInt16> = [0x4066, 0x4082, 0x4072, 0x4062, 0x4068]
  static let names: [UInt16: String] = [
    0x400C: "QC35", 0x4020: "QC35 II", 0x4014: "QuietControl 30", 0x4024: "NC 700",
    0x4039: "QC45", 0x4066: "QC Ultra Headphones", 0x4075: "QC Headphones",
    0x4082: "QC Ultra Headphones 2", 0x402F: "QC Earbuds", 0x4064: "QC Earbuds II",
    0x4072: "QC Ultra Earbuds", 0x4062: "QC Ultra Earbuds 2", 0x4068: "Ultra Open",
    0x402D: "Sport Earbuds", 0x403A: "Sport Open", 0x4018: "SoundSport Free",
    0x4012: "SoundSport", 0x4013: "Pulse",
  ]
}
