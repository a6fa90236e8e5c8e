public import BluetoothCodec
public import HeadphoneProtocols

/// A simulated headphone of Huawei or Honor as a value: it receives frames and returns frames.
///
/// | command | meaning |
/// | --- | --- |
/// | 0x0107 | device information |
/// | 0x0108 | batteries |
/// | 0x2B2A, 0x2B04 | noise control: read, set |
/// | 0x2B11, 0x2B10 | pause when taken off: read, set |
/// | 0x2B2F, 0x2B2E | multipoint: read, set |
/// | 0x2B31, 0x2B32, 0x2B33 | paired devices: read; prefer; connect, disconnect or forget |
/// | 0x2B4A, 0x2B49 | equaliser preset: read, set |
/// | 0x0120, 0x011F | double tap: read, set |
/// | 0x0126, 0x0125 | triple tap: read, set |
/// | 0x2B1F, 0x2B1E | swipe: read, set |
/// | 0x2B19, 0x2B18 | modes that touch and hold cycles through: read, set |
/// | 0x2B17, 0x2B16 | touch and hold: read, set |
/// | 0x2B5E, 0x2B5D | whether a bud rings: read, set |
/// | 0x2B6C | low latency: read, set |
/// | 0x2BA3, 0x2BA2 | priority of the connection: read, set |
///
/// A command that sets a value is answered with field 0x7F and the code 0x000186A0 (100000) for
/// success, a command for a paired device with the report that the devices have changed.
public struct VirtualHuawei: VirtualSerialHeadphone {
  public let service = SerialService.serialPort
  /// The battery levels in %: left, right and case.
  public var levels: [UInt8]
  /// Whether left, right and case are charging: 0 or 1.
  public var charging: [UInt8]
  /// The mode of noise control: 0 off, 1 cancelling, 2 awareness.
  public var mode: UInt8 = 1
  /// The strength of noise cancelling: 0 normal, 1 comfort, 2 ultra, 3 dynamic.
  public var strength: UInt8 = 0
  /// The level of awareness: 1 with priority for voices, 2 without.
  public var awareness: UInt8 = 2
  /// Whether the headphone pauses when it is taken off: 0 or 1.
  public var pauses: UInt8 = 1
  /// Whether multipoint is on: 0 or 1.
  public var multipoint: UInt8 = 1
  public var devices = VirtualPairedDevices.three
  /// The numbers of the equaliser presets.
  public var presets: [UInt8] = [1, 2, 3, 9]
  /// The number of the selected preset.
  public var preset: UInt8 = 1
  /// The actions of a double tap: left, right.
  public var doubleTap: [UInt8] = [0x01, 0x02]
  /// The action of a double tap in a call: 0 answers the call, FF does nothing.
  public var doubleTapInCall: UInt8 = 0xFF
  /// The actions of a triple tap: left, right.
  public var tripleTap: [UInt8] = [0x07, 0x02]
  /// The action of a swipe.
  public var swipe: UInt8 = 0x00
  /// The modes that touch and hold cycles through: left, right.
  public var noiseCycle: [UInt8] = [2, 2]
  /// The actions of touch and hold: left, right.
  public var hold: [UInt8] = [0x0A, 0x0A]
  /// Whether each bud is silent: left, right; 0 while it is ringing.
  public var isSilent: [UInt8] = [1, 1]
  /// Whether low latency is on: 0 or 1.
  public var lowLatency: UInt8 = 0
  /// The priority of the connection: 0 stability, 1 quality.
  public var priority: UInt8 = 1

  public var vendor: UInt16? { HuaweiProtocol.vendor }
  public var format: FrameFormat { HuaweiFrame.format }

  public init(levels: [UInt8], charging: [UInt8]) {
    self.levels = levels
    self.charging = charging
  }

  public mutating func open() -> [[UInt8]] { [HuaweiFrame(0x0106).encoded()] }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? HuaweiFrame(decoding: frame) else { return [] }
    switch frame.command {
    case 0x2B31: return list()
    case 0x2B32, 0x2B33: return manage(frame)
    default:
      return execute(frame).map { [HuaweiFrame(frame.command, $0).encoded()] } ?? []
    }
  }

  private func list() -> [[UInt8]] {
    devices.all.enumerated().map { index, device in
      let state: UInt8 = device.isPlaying == true ? 9 : device.isConnected ? 1 : 0
      return HuaweiFrame(
        0x2B31,
        [
          .init(2, [UInt8(clamping: devices.all.count)]), .init(3, [UInt8(clamping: index)]),
          .init(4, device.address.bytesInReadingOrder), .init(5, [state]),
          .init(7, [device.isPreferred == true ? 1 : 0]), .init(8, [1]),
          .init(9, Array((device.name ?? "").utf8)),
        ]
      ).encoded()
    }
  }

  private mutating func manage(_ frame: HuaweiFrame) -> [[UInt8]] {
    let actions: [UInt8: PairedDeviceAction] = [1: .connect, 2: .disconnect, 3: .forget]
    guard let field = frame.fields.first, let action = actions[field.type],
      let address = try? BluetoothAddress(littleEndian: Bytes(field.value.reversed()))
    else { return [] }
    devices.perform(frame.command == 0x2B32 ? .prefer : action, address)
    return [HuaweiFrame(0x2B36).encoded()]
  }

  private mutating func execute(_ frame: HuaweiFrame) -> [HuaweiFrame.Field]? {
    let value = frame.fields.first.map { Array($0.value) } ?? []
    let done = [HuaweiFrame.Field(0x7F, [0x00, 0x01, 0x86, 0xA0])]
    switch frame.command {
    case 0x0108:
      return [.init(1, [levels.min() ?? 0]), .init(2, levels), .init(3, charging)]
    case 0x0107: return [.init(7, Array("1.9.0.142".utf8)), .init(15, Array("FreeBuds Pro".utf8))]
    case 0x2B2A: return [.init(1, [[0, strength, awareness][Int(mode)], mode])]
    case 0x2B11: return [.init(1, [pauses])]
    case 0x2B2F: return [.init(1, [multipoint])]
    case 0x0120, 0x0126:
      let actions = frame.command == 0x0120 ? doubleTap : tripleTap
      let inCall = [HuaweiFrame.Field(4, [doubleTapInCall]), .init(6, [0, 0xFF])]
      return [.init(1, [actions[0]]), .init(2, [actions[1]]), .init(3, [0, 1, 2, 7, 0xFF])]
        + (frame.command == 0x0120 ? inCall : [])
    case 0x011F where value.count == 1 && frame.fields[0].type == 4:
      doubleTapInCall = value[0]
      return [.init(6, [0])]
    case 0x011F where value.count == 1 && [1, 2].contains(frame.fields[0].type):
      doubleTap[Int(frame.fields[0].type) - 1] = value[0]
      return done
    case 0x0125 where value.count == 1 && [1, 2].contains(frame.fields[0].type):
      tripleTap[Int(frame.fields[0].type) - 1] = value[0]
      return done
    case 0x2B19:
      return [.init(1, [noiseCycle[0]]), .init(2, [noiseCycle[1]]), .init(3, Array(1...10))]
    case 0x2B17:
      return [.init(1, [hold[0]]), .init(2, [hold[1]]), .init(3, Array(0...10) + [0x0E, 0x0F])]
    case 0x2B18 where value.count == 1 && [1, 2].contains(frame.fields[0].type):
      noiseCycle[Int(frame.fields[0].type) - 1] = value[0]
      return done
    case 0x2B16 where value.count == 1 && [1, 2].contains(frame.fields[0].type):
      hold[Int(frame.fields[0].type) - 1] = value[0]
      return done
    case 0x2B5E where value.count == 1 && value[0] < 2:
      return [.init(2, [value[0], isSilent[Int(value[0])]])]
    case 0x2B5D where value.count == 2 && value[0] < 2:
      isSilent[Int(value[0])] = value[1]
      return [.init(2, [value[0], 0])]
    case 0x2B6C where frame.fields.first?.type == 1 && value.count == 1:
      lowLatency = value[0]
      return done
    case 0x2B6C: return [.init(2, [lowLatency])]
    case 0x2BA3: return [.init(2, [priority])]
    case 0x2BA2 where value.count == 1 && value[0] < 2:
      priority = value[0]
      return done
    case 0x2B1F where frame.fields.map(\.type) == [1, 2]:
      return [.init(1, [swipe]), .init(2, [swipe]), .init(3, [0x00, 0xFF])]
    case 0x2B1E where value.count == 1 && frame.fields.map(\.type) == [1, 2]:
      swipe = value[0]
      return done
    case 0x2B4A: return [.init(2, [preset]), .init(3, presets)]
    case 0x2B49 where value.count == 1 && presets.contains(value[0]):
      preset = value[0]
      return done
    case 0x2B2E where value.count == 1:
      multipoint = value[0]
      return done
    case 0x2B04 where value.count == 2 && value[0] < 3:
      mode = value[0]
      if mode == 1, value[1] != 0xFF { strength = value[1] }
      if mode == 2, value[1] != 0xFF { awareness = value[1] }
      return done
    case 0x2B10 where value.count == 1:
      pauses = value[0]
      return done
    default: return nil
    }
  }
}
