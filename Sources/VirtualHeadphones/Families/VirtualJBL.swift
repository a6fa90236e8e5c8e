public import BluetoothCodec
internal import HeadphoneProtocols

/// Simulated JBL earbuds as a value: they receive written values and return notified ones.
public struct VirtualJBL: VirtualLEHeadphone {
  /// The battery levels in %: left, right and case.
  public var levels: [UInt8]
  /// Whether noise cancelling, ambient sound and talk-through are on: 0 or 1.
  public var slots: [UInt8] = [0, 1, 0]

  public init(levels: [UInt8]) { self.levels = levels }

  public var service: BluetoothUUID { JBLProtocol.service }
  public var write: BluetoothUUID { JBLProtocol.writes[0] }
  public var notify: BluetoothUUID { JBLProtocol.notifies[0] }
  public var advertised: [AdvertisingStructure] { [.serviceData(.fastPair, [0x71, 0xF2, 0x0A])] }

  public mutating func respond(to value: Bytes) -> [[UInt8]] {
    guard let frame = try? JBLFrame(decoding: value) else { return [] }
    switch (frame.command, Array(frame.payload)) {
    case (0x9B, [1, 1]): return [JBLFrame(0x9B, [2, 1, 0]).encoded()]
    case (0x25, [0]):
      let payload =
        [1, 0, 0, levels[0], levels[1], 0, levels[2]] + [0x10, 0x0E, 0x78, 0x0E, 0xCC, 0x0C]
      return [JBLFrame(0x25, payload).encoded()]
    case (0x91, [0x11]):
      return [JBLFrame(0x91, [0x12, 1, slots[0], 2, slots[1], 3, slots[2]]).encoded()]
    case (0x91, let command) where command.count == 7 && command[0] == 0x10:
      slots = [command[2], command[4], command[6]]
      return []
    default: return []
    }
  }
}
