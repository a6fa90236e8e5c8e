internal import BluetoothCodec
package import HeadphoneProtocols

extension StateReport {
  /// Returns the response's data after its status, with the events only.
  package func encoded() -> [UInt8] {
    entries.flatMap { entry -> [UInt8] in
      guard case .event(let event) = entry else { return [] }
      let bytes = event.encoded()
      return [UInt8(clamping: bytes.count)] + bytes
    }
  }
}

extension CapabilityReport {
  package func encoded() -> [UInt8] {
    var bytes = [protocolVersion]
    bytes.append(littleEndian: features.rawValue)
    return bytes + [Self.mask(of: ancModes), Self.mask(of: eqPresets), bands, window]
  }

  private static func mask<T: RawRepresentable<UInt8>>(of values: [T]) -> UInt8 {
    values.reduce(0) { $0 | 1 << $1.rawValue }
  }
}

extension TouchActionTable {
  /// Returns the response's data; absent actions are "none".
  package func encoded() -> [UInt8] {
    Side.allCases.flatMap { side in
      TouchGesture.allCases.map { (actions[side]?[$0] ?? .none).rawValue }
    }
  }
}

extension BandGains {
  package func encoded() -> [UInt8] { encodedGains(gains) }
}

extension HeadphoneAdvertisement {
  /// Returns the manufacturer data without the company identifier.
  package func encoded() -> [UInt8] {
    var bytes = [Self.kind]
    bytes.append(audioAddress)
    let levels = [(Part.left, battery.left), (.right, battery.right), (.case, battery.case)]
    return bytes
      + levels.map { part, level in
        guard let level else { return BatteryReport.unknown }
        return battery.charging?.contains(part) == true ? level | Self.chargingBit : level
      }
  }
}
