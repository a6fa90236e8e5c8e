public import BluetoothCodec
internal import HeadphoneProtocols

/// Simulated earbuds of QCY or SoundPEATS as a value.
public struct VirtualQCY: VirtualLEHeadphone {
  /// The battery levels of left, right and case in %; bit 7: charging.
  public var levels: [UInt8]
  /// The value of noise control: 0 off, 1 cancelling, 2 cancelling for outdoors, 3 transparency;
  /// for SoundPEATS 02 off, 63 cancelling, A5 transparency.
  public var noise: UInt8 = 1
  /// The values of the settings, by block.
  ///
  /// Low latency, LDAC, multipoint and wind reduction are 1 for on and 2 for off; wear detection is
  /// followed by its actions; 22 is the equaliser.
  public var settings: [UInt8: [UInt8]] = [
    0x09: [2], 0x23: [1], 0x24: [1], 0x2A: [2], 0x2C: [2, 1, 1],
    0x22: Self.flat,
  ]
  /// The firmware version in its characteristic, or nil if there is no such characteristic.
  public var firmware: String?
  /// Whether frames are not answered, as by models with another chip.
  public var isSilent = false

  private static let flat: [UInt8] = {
    let centres: [UInt16] = [31, 62, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    return [0, 0, 0]
      + centres.flatMap { hertz -> [UInt8] in
        [UInt8(truncatingIfNeeded: hertz), UInt8(hertz >> 8), 0, 0, 100, 0, 0]
      }
  }()

  public init(levels: [UInt8]) { self.levels = levels }

  public var service: BluetoothUUID { QCYProtocol.service }
  public var write: BluetoothUUID { QCYProtocol.write }
  public var notify: BluetoothUUID { QCYProtocol.notify }
  public var advertised: [AdvertisingStructure] {
    [.manufacturerData(company: QCYProtocol.company, [1, 0][...])]
  }
  public var readable: [(BluetoothUUID, [UInt8])] {
    firmware.map { [(QCYProtocol.version, Array($0.utf8)), (QCYProtocol.levels, levels)] } ?? []
  }

  public mutating func respond(to value: Bytes) -> [[UInt8]] {
    guard !isSilent, let frame = try? QCYFrame(decoding: value), let block = frame.blocks.first
    else {
      return []
    }
    switch (block.command, Array(block.parameters)) {
    case (0xFE, [0x2F]): return [QCYFrame(0x2F, levels).encoded()]
    case (0xFE, [0x0C]): return [QCYFrame(0x0C, [noise]).encoded()]
    case (0x0C, let command) where command.count == 1:
      noise = command[0]
      return []
    case (0xFE, let asked) where asked.count == 1:
      return settings[asked[0]].map { [QCYFrame(asked[0], $0).encoded()] } ?? []
    case (let number, let value) where settings[number]?.count == value.count:
      settings[number] = value
      return []
    default: return []
    }
  }
}
