public import BluetoothCodec
internal import HeadphoneProtocols

/// A headphone of Nothing or CMF on its serial channel as a value: the language of ``VirtualNothing``
/// with a checksum in each frame.
public struct VirtualNothingSerial: VirtualSerialHeadphone {
  public var service: BluetoothUUID { NothingProtocol.serialService }
  /// As it is now.
  public var headphone: VirtualNothing
  /// CMF's answer nothing before the question for their firmware.
  private var isAwake = false
  private var begun: [UInt8] = []

  public init(_ headphone: VirtualNothing) { self.headphone = headphone }

  public mutating func open() -> [[UInt8]] {
    (isAwake, begun) = (false, [])
    return []
  }

  public mutating func receive(_ piece: Bytes) -> [[UInt8]] {
    begun += piece
    var answers: [[UInt8]] = []
    while begun.count >= 8 {
      // The phone's frames have a checksum.
      let size = 10 + Int(begun[5])
      guard begun.count >= size else { break }
      answers += answer(begun[..<size])
      begun = Array(begun[size...])
    }
    return answers
  }

  private mutating func answer(_ value: Bytes) -> [[UInt8]] {
    guard let frame = try? NothingFrame(decoding: value) else { return [] }
    isAwake = isAwake || frame.command == NothingCommand.readFirmware
    guard isAwake else { return [] }
    return headphone.answer(value).compactMap { bytes in
      guard var answer = try? NothingFrame(decoding: bytes[...]) else { return nil }
      answer.checksum = .whole
      return answer.encoded()
    }
  }
}
