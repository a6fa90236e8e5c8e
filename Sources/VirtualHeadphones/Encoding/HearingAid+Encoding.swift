internal import BluetoothCodec
package import HeadphoneProtocols

extension HearingAidFeatures {
  package func encoded() -> [UInt8] {
    [
      kind.rawValue | (synchronisesPresets ? 1 << 2 : 0) | (hasIndependentPresets ? 1 << 3 : 0)
        | (hasDynamicPresets ? 1 << 4 : 0) | (hasWritableNames ? 1 << 5 : 0)
    ]
  }
}

extension HearingPreset {
  fileprivate func encoded() -> [UInt8] {
    [index, (isWritable ? 1 << 0 : 0) | (isAvailable ? 1 << 1 : 0)] + Array(name.utf8)
  }
}

extension PresetMessage {
  package func encoded() -> [UInt8] {
    switch self {
    case .record(let preset, let isLast): [0x02, isLast ? 1 : 0] + preset.encoded()
    case .updated(let preset, let before, let isLast):
      [0x03, 0x00, isLast ? 1 : 0, before] + preset.encoded()
    case .deleted(let index, let isLast): [0x03, 0x01, isLast ? 1 : 0, index]
    case .availability(let index, let isAvailable, let isLast):
      [0x03, isAvailable ? 0x02 : 0x03, isLast ? 1 : 0, index]
    }
  }
}

extension OutputState {
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: offset)
    return bytes + [counter]
  }
}

extension InputState {
  package func encoded() -> [UInt8] {
    [UInt8(bitPattern: gain), UInt8(muted: isMuted), mode.rawValue, counter]
  }
}

extension InputGain {
  package func encoded() -> [UInt8] {
    [unit, UInt8(bitPattern: range.lowerBound), UInt8(bitPattern: range.upperBound)]
  }
}
