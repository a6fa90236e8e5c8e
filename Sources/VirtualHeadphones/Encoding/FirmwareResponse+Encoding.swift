internal import BluetoothCodec
package import HeadphoneProtocols

extension FirmwareStart {
  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: offset)
    bytes.append(window)
    bytes.append(littleEndian: longestFrame)
    return bytes
  }
}

extension FirmwareStatus {
  package func encoded() -> [UInt8] {
    var bytes = [state.rawValue]
    bytes.append(littleEndian: offset)
    bytes.append(littleEndian: running.word)
    bytes.append(littleEndian: pending?.word ?? 0)
    return bytes
  }
}
