public import Companion
internal import HeadphoneProtocols
internal import JSON

/// The battery history of each headphone, in a file of its own.
extension KnownHeadphones {
  /// The charges of the last days; empty if there is no file.
  ///
  /// - Throws: ``FileError`` if the file cannot be read; invalid samples are left out.
  public func charges(of id: HeadphoneID) throws(FileError) -> BatteryHistory {
    guard let list = chargeFile(of: id) else { return BatteryHistory() }
    return try BatteryHistory(
      list.items().suffix(BatteryHistory.most).compactMap { .init(json: $0) })
  }

  /// Adds a sample, and removes the oldest ones beyond the limit.
  ///
  /// - Throws: ``FileError``; the file is then unchanged.
  public func keep(_ sample: ChargeSample, of id: HeadphoneID) throws(FileError) {
    guard let list = chargeFile(of: id) else { return }
    try devices.file.withLock { () throws(FileError) in
      _ = try list.change(
        identifiedBy: [], atMost: BatteryHistory.most, isPrecious: false,
        decode: ChargeSample.init(json:), encode: \.json
      ) { samples in
        var history = BatteryHistory(samples.suffix(BatteryHistory.most))
        history.append(sample)
        samples = history.samples
      }
    }
  }

  /// Removes the history.
  ///
  /// - Throws: ``FileError`` if the file exists and cannot be removed.
  func dropCharges(of id: HeadphoneID) throws(FileError) { try chargeFile(of: id)?.file.remove() }

  /// The file of a headphone's history; `nil` if it has none.
  private func chargeFile(of id: HeadphoneID) -> ListFile? {
    file("battery", of: id).map { ListFile(file: $0, key: "charges", subject: "charges") }
  }
}

/// A sample in the file, `[minute, left, right, case, flags]`: short, because there are hundreds.
///
/// Levels are in percent, or null. Flags: bits 0 to 2 for the parts that charge, bit 3 for the
/// first sample after a pause.
extension ChargeSample {
  fileprivate var json: JSON {
    let charging = Part.allCases.filter { self[$0]?.isCharging == true }
    let flags = charging.reduce(Int64(isFirst ? 8 : 0)) { $0 | 1 << Int64($1.rawValue) }
    return .array(
      [.integer(minute)] + Part.allCases.map { JSON(self[$0]?.level) } + [.integer(flags)])
  }

  /// A sample from the file; nil for a time beyond the calendar, a level above 100 %, or an unknown
  /// flag.
  fileprivate init?(json: JSON) {
    let parts = Part.allCases
    guard let items = json.elements, items.count == parts.count + 2,
      let minute = items[0].wholeNumber, (0...(1 << 32)).contains(minute),
      let flags = items[parts.count + 1].wholeNumber, (0..<16).contains(flags)
    else { return nil }
    self.init(minute: minute, isFirst: flags & 8 != 0)
    for (part, item) in zip(parts, items.dropFirst()) where item != .null {
      guard let level = item.wholeNumber, (0...100).contains(level) else { return nil }
      self[part] = Charge(
        level: UInt8(level), isCharging: flags & 1 << Int64(part.rawValue) != 0)
    }
  }
}
