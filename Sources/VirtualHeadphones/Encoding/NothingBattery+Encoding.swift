package import HeadphoneProtocols

extension NothingBattery {
  /// Returns the payload, with the parts in the order case, right, left.
  package func encoded() -> [UInt8] {
    switch content {
    case .single(let battery): return [0, 0, Self.byte(battery)]
    case .parts(let parts):
      let numbers: [(Part, UInt8)] = [(.case, 4), (.right, 3), (.left, 2)]
      let reported = numbers.compactMap { part, number in
        parts[part].map { [number, Self.byte($0)] }
      }
      return [UInt8(reported.count)] + reported.joined()
    }
  }

  private static func byte(_ battery: Battery) -> UInt8 {
    (battery.level ?? 0) | (battery.isCharging == true ? 0x80 : 0)
  }
}
