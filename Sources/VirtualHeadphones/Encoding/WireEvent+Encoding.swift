internal import BluetoothCodec
package import HeadphoneProtocols

extension WireEvent {
  package func encoded() -> [UInt8] { [kind.standardCode] + payload }

  private var kind: EventLayout.Kind {
    switch self {
    case .wearing: .wearing
    case .battery: .battery
    case .anc: .anc
    case .firmwareProgress: .firmwareProgress
    case .eq: .eq
    case .caseLid: .caseLid
    case .touch: .touch
    case .firmwareAcknowledged: .firmwareAcknowledged
    case .error: .error
    }
  }

  private var payload: [UInt8] {
    switch self {
    case .wearing(let left, let right): [left ? 1 : 0, right ? 1 : 0]
    case .battery(let report): report.encoded
    case .anc(let mode): [mode.rawValue]
    case .firmwareProgress(let percent): [percent]
    case .eq(let preset, let bands): [preset.rawValue] + (bands.map(encodedGains) ?? [])
    case .caseLid(let isOpen): [isOpen ? 1 : 0]
    case .touch(let side, let gesture): [side.rawValue, gesture.rawValue]
    case .firmwareAcknowledged(let acknowledgement):
      acknowledgement.encoded
    case .error(let status): [status.code]
    }
  }
}

extension FirmwareAcknowledgement {
  fileprivate var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: contiguousOffset)
    bytes.append(window)
    bytes.append(littleEndian: arrived)
    return bytes
  }
}

extension BatteryReport {
  fileprivate var encoded: [UInt8] {
    let levels = [left, right, `case`].map { $0 ?? Self.unknown }
    guard let charging else { return levels }
    return levels + [charging.reduce(0) { $0 | $1.chargingBit }]
  }
}
