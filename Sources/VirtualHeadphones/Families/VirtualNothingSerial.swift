public import BluetoothCodec
public import HeadphoneProtocols

/// ``VirtualNothing`` on its serial channel, with a checksum in each frame.
///
/// Like CMF's models, it answers nothing before the request for its firmware version.
public struct VirtualNothingSerial: VirtualSerialHeadphone {
  public var service: BluetoothUUID { NothingProtocol.serialService }
  public var format: FrameFormat { NothingFrame.phoneFormat }
  public var headphone: VirtualNothing
  private var isAwake = false

  public init(_ headphone: VirtualNothing) { self.headphone = headphone }

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
