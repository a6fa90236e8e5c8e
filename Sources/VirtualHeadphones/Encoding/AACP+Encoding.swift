internal import BluetoothCodec
package import HeadphoneProtocols

extension AACPBattery {
  package func encoded() -> [UInt8] {
    [UInt8(clamping: entries.count)]
      + entries.flatMap { [$0.component.rawValue, 1, $0.level, $0.status.rawValue, 1] }
  }
}

extension AACPEar {
  /// Returns the data after the opcode: a byte for each bud.
  package func encoded() -> [UInt8] { [primary.rawValue, secondary.rawValue] }
}

extension AACPMetadata {
  /// Returns the data after the opcode; nil becomes an empty text.
  package func encoded() -> [UInt8] {
    var texts: [UInt8] = []
    for text in [name, model, manufacturer, serial, firmware] {
      texts += Array((text ?? "").utf8) + [0]
    }
    var bytes: [UInt8] = [0x02]
    bytes.append(littleEndian: UInt16(truncatingIfNeeded: texts.count))
    return bytes + [0x04, 0x00] + texts
  }
}
