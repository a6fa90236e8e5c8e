public import BluetoothCodec
public import HeadphoneProtocols

/// A headphone of Nothing or CMF on its serial channel as a value: the language of ``VirtualNothing``
/// with a checksum in each frame.
///
/// CMF's models answer nothing before they were asked for their firmware version; this one does the
/// same.
public struct VirtualNothingSerial: VirtualSerialHeadphone {
  public var service: BluetoothUUID { NothingProtocol.serialService }
  public var format: FrameFormat { NothingFrame.phoneFormat }
  /// The headphone's present state.
  public var headphone: VirtualNothing
  /// CMF's answer nothing before the question for their firmware.
  private var isAwake = false

  public init(_ headphone: VirtualNothing) { self.headphone = headphone }

  /// Sleeps again until it is asked for its firmware.
  public mutating func open() -> [[UInt8]] {
    isAwake = false
    return []
  }

  public mutating func respond(to value: Bytes) -> [[UInt8]] {
    guard let frame = try? NothingFrame(decoding: value) else { return [] }
    isAwake = isAwake || frame.command == NothingCommand.readFirmware
    guard isAwake else { return [] }
    return headphone.respond(to: value).compactMap { bytes in
      guard var response = try? NothingFrame(decoding: bytes[...]) else { return nil }
      response.checksum = .whole
      return response.encoded()
    }
  }
}
