package import Companion
internal import HeadphoneProtocols
internal import JSON

/// The battery history of each headphone: the charges of the last days, and all discharges.
extension KnownHeadphones {
  /// The maximum number of discharges, enough for decades.
  private static let mostDischarges = 20_000

  /// Returns the charges of the last days and all discharges, without invalid entries.
  package func charges(of id: HeadphoneID) throws(FileError) -> BatteryHistory {
    guard let list = chargeFile(of: id) else { return BatteryHistory() }
    return try BatteryHistory(
      list.items().suffix(BatteryHistory.most).compactMap { .init(json: $0) },
      discharges: dischargeFile(of: id)?.items().compactMap { .init(json: $0) } ?? [])
  }

  /// Adds samples with one write, and removes the oldest ones beyond the limit.
  package func keep(_ new: [ChargeSample], of id: HeadphoneID) throws(FileError) {
    guard let list = chargeFile(of: id) else { return }
    try devices.file.withLock { () throws(FileError) in
      _ = try list.change(
        identifiedBy: [], atMost: BatteryHistory.most, isPrecious: false,
        decode: ChargeSample.init(json:), encode: \.json
      ) { samples in
        var history = BatteryHistory(samples.suffix(BatteryHistory.most))
        for sample in new { history.append(sample) }
        samples = history.samples + history.later
      }
    }
  }

  package func keep(_ discharge: Discharge, of id: HeadphoneID) throws(FileError) {
    guard let list = dischargeFile(of: id) else { return }
    try devices.file.withLock { () throws(FileError) in
      _ = try list.change(
        identifiedBy: [], atMost: Self.mostDischarges, isPrecious: false,
        decode: Discharge.init(json:), encode: \.json
      ) { $0.append(discharge) }
    }
  }

  func dropCharges(of id: HeadphoneID) throws(FileError) {
    try chargeFile(of: id)?.file.remove()
    try dischargeFile(of: id)?.file.remove()
  }

  private func dischargeFile(of id: HeadphoneID) -> ListFile? {
    file("discharges", of: id).map {
      ListFile(file: $0, key: "discharges", subject: "discharges")
    }
  }

  private func chargeFile(of id: HeadphoneID) -> ListFile? {
    file("battery", of: id).map { ListFile(file: $0, key: "charges", subject: "charges") }
  }
}

/// A sample in the file, `[minute, left, right, case, flags]`: short, because there are hundreds.
///
/// Levels are in percent, or null. Flags: bits 0 to 2 for the parts that charge, bit 3 for the
/// first sample after a pause, bit 4 for one after a short pause, bit 5 for levels in steps, bits 6
/// to 8 for the noise mode plus 1, or 0 if unknown.
extension ChargeSample {
  fileprivate var json: JSON {
    let charging = Part.allCases.filter { self[$0]?.isCharging == true }
    var flags = charging.reduce(Int64(0)) { $0 | 1 << Int64($1.rawValue) }
    flags |= (isFirst ? 8 : 0) | (isResumed ? 16 : 0) | (isCoarse ? 32 : 0)
    flags |= mode.map { (Int64($0.rawValue) + 1) << 6 } ?? 0
    return .array(
      [.integer(minute)] + Part.allCases.map { JSON(self[$0]?.level) } + [.integer(flags)])
  }

  fileprivate init?(json: JSON) {
    let parts = Part.allCases
    guard let items = json.elements, items.count == parts.count + 2,
      let minute = items[0].wholeNumber, (0...(1 << 32)).contains(minute),
      let flags = items[parts.count + 1].wholeNumber, (0..<512).contains(flags)
    else { return nil }
    self.init(minute: minute, isFirst: flags & 8 != 0)
    isResumed = flags & 16 != 0
    isCoarse = flags & 32 != 0
    if flags >> 6 > 0 {
      guard let mode = ANCMode(rawValue: UInt8(flags >> 6) - 1) else { return nil }
      self.mode = mode
    }
    for (part, item) in zip(parts, items.dropFirst()) where item != .null {
      guard let level = item.wholeNumber, (0...100).contains(level) else { return nil }
      self[part] = Charge(
        level: UInt8(level), isCharging: flags & 1 << Int64(part.rawValue) != 0)
    }
  }
}

/// A discharge in the file, `[minute, minutes, mode, left, left, right, right]`: some 30 bytes.
///
/// The mode is its number, or null. The charge of each bud is in percent at both ends, or null.
extension Discharge {
  fileprivate var json: JSON {
    .array([
      .integer(minute), JSON(minutes), JSON(mode?.rawValue), JSON(left?.from), JSON(left?.to),
      JSON(right?.from), JSON(right?.to),
    ])
  }

  fileprivate init?(json: JSON) {
    guard let items = json.elements, items.count == 7, let minute = items[0].wholeNumber,
      (0...(1 << 32)).contains(minute), let minutes = items[1].wholeNumber,
      (1...100_000).contains(minutes)
    else { return nil }
    var mode: ANCMode?
    if items[2] != .null {
      guard let number = items[2].wholeNumber.flatMap({ UInt8(exactly: $0) }),
        let known = ANCMode(rawValue: number)
      else { return nil }
      mode = known
    }
    self.init(
      minute: minute, minutes: Int(minutes), mode: mode, left: Drop(json: items[3...4]),
      right: Drop(json: items[5...6]))
    guard left != nil || right != nil else { return nil }
  }
}

extension Discharge.Drop {
  /// Decodes the charge at both ends in percent; fails for unknown values and for a rising charge.
  fileprivate init?(json items: ArraySlice<JSON>) {
    let levels = items.compactMap { item in
      item.wholeNumber.flatMap { (0...100).contains($0) ? UInt8($0) : nil }
    }
    guard levels.count == 2, levels[1] <= levels[0] else { return nil }
    self.init(from: levels[0], to: levels[1])
  }
}
