public import BluetoothCodec
public import HeadphoneProtocols

/// A simulated Bose headphone as a value: it receives frames and returns frames.
///
/// Keys of ``values`` are `[block, function]`. Get returns a status with the value, SetGet changes
/// the value first, Start returns a result, and an unknown function an error, 3 or 4 depending on
/// the block. Block 4 contains the paired devices; a connection is announced and succeeds
/// immediately. The list of modes is a status for each mode, then the result; that of buttons is a
/// status for each button. If function 9.2 is set accordingly, a mode is reported before its
/// command is answered.
public struct VirtualBose: VirtualSerialHeadphone {
  public let service = SerialService.serialPort
  /// The payloads of values that can be read, by block and function.
  public var values: [[UInt8]: [UInt8]]
  /// The functions that require more rights, which repeating a command does not grant.
  public var closed: Set<[UInt8]> = []
  /// The paired phones and computers, or nil if the headphone does not list them.
  public var devices: VirtualPairedDevices?
  /// Whether the headphone can be told which device to play from.
  public var routes = true
  /// The buttons, each with number, event, action and bit map of actions.
  public var buttons: [[UInt8]] = []
  /// The names of the modes by index, empty for unused modes, or nil if they are not listed.
  public var modes: [String]?

  public var channel: UInt8?

  public var vendor: UInt16? { BoseProtocol.vendor }
  public var format: FrameFormat { BoseFrame.format }

  public init(values: [[UInt8]: [UInt8]]) { self.values = values }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? BoseFrame(decoding: frame) else { return [] }
    func say(_ operation: BoseFrame.Operation, _ payload: [UInt8]) -> [UInt8] {
      BoseFrame(frame.function, operation, payload).encoded()
    }
    switch (frame.function, frame.operation) {
    case (Self.modeList, .start):
      guard let modes else { break }
      return modes.enumerated().map { index, name in
        let text = Array(name.utf8.prefix(32))
        let payload: [UInt8] =
          [UInt8(clamping: index), 0, 0, 0, name.isEmpty ? 0 : 1, 0] + text
          + Array(repeating: 0, count: 32 - text.count)
        return say(.status, payload)
      } + [say(.result, [])]
    case (Self.buttonList, .get) where !buttons.isEmpty: return buttons.map { say(.status, $0) }
    case (Self.buttonList, .setGet):
      let payload = Array(frame.payload)
      guard payload.count == 3,
        let index = buttons.firstIndex(where: { $0.prefix(2) == payload.prefix(2) })
      else { break }
      buttons[index][2] = payload[2]
      return [say(.status, buttons[index])]
    case (Self.mode, .start) where values[[9, 2]] == Self.subscribed:
      return [say(.status, [frame.payload.first ?? 0]), execute(frame)]
    default: break
    }
    return [execute(frame)]
  }

  private static let mode = BoseFrame.Function(31, 3)
  private static let modeList = BoseFrame.Function(31, 6)
  private static let buttonList = BoseFrame.Function(1, 9)
  /// The value of function 9.2 that subscribes to the blocks 1, 2, 5 and 31.
  private static let subscribed: [UInt8] = [0x80, 0x00, 0x00, 0x26]

  private mutating func execute(_ frame: BoseFrame) -> [UInt8] {
    let key = [frame.function.block, frame.function.number]
    func say(_ operation: BoseFrame.Operation, _ payload: [UInt8]) -> [UInt8] {
      BoseFrame(frame.function, operation, payload).encoded()
    }
    if devices != nil, let (operation, payload) = manage(frame) { return say(operation, payload) }
    if key == [1, 2], frame.operation == .setGet {
      values[key] = [0] + frame.payload
      return say(.status, values[key] ?? [])
    }
    guard let value = values[key] else { return say(.error, [frame.function.block > 9 ? 3 : 4]) }
    let payload = Array(frame.payload)
    switch frame.operation {
    case .get: return say(.status, value)
    case .setGet where payload.isEmpty: return say(.error, [1])
    case .setGet where closed.contains(key): return say(.error, [5])
    // The bytes for automatic cancelling and wind reduction must be 0.
    case .setGet where key == [31, 10] && (payload.count != 5 || payload[1] + payload[3] > 0):
      return say(.error, [8])
    case .setGet:
      values[key] = changed(key, value, payload)
      return say(.status, values[key] ?? value)
    case .start:
      values[key] = [payload.first ?? 0]
      return say(.result, values[key] ?? value)
    case .set: return say(.error, [5])
    case .status, .error, .result, .processing: return say(.error, [5])
    }
  }

  private mutating func manage(
    _ frame: BoseFrame
  ) -> (BoseFrame.Operation, [UInt8])? {
    let all = devices?.all ?? []
    let function = [frame.function.block, frame.function.number]
    let named = try? BluetoothAddress(littleEndian: Bytes(frame.payload.suffix(6).reversed()))
    switch (function, frame.operation) {
    case ([4, 4], .get):
      let connected = all.enumerated().reduce(UInt8(0)) { map, device in
        device.element.isConnected ? map | 1 << device.offset : map
      }
      return (.status, [connected] + all.flatMap(\.address.bytesInReadingOrder))
    case ([4, 5], .get):
      guard let device = all.first(where: { $0.address == named }) else { return (.error, [6]) }
      let status: UInt8 =
        (device.isConnected ? 1 : 0) | (device.isThisComputer == true ? 2 : 0)
      return (
        .status,
        device.address.bytesInReadingOrder + [status, 0, 0] + Array((device.name ?? "").utf8)
      )
    case ([5, 1], .get):
      let playing = all.first { $0.isPlaying == true }
      return (
        .status,
        [0x00, 0x0F, playing == nil ? 0 : 1] + (playing?.address.bytesInReadingOrder ?? [])
      )
    case ([4, 12], _) where !routes: return (.error, [4])
    case ([4, 12], .get): return (.error, [5])
    case ([4, 1], .start), ([4, 2], .start), ([4, 3], .start), ([4, 12], .start):
      let actions: [UInt8: PairedDeviceAction] = [
        1: .connect, 2: .disconnect, 3: .forget, 12: .play,
      ]
      guard let named, let action = actions[function[1]] else { return (.error, [6]) }
      devices?.perform(action, named)
      return (function[1] == 1 ? .processing : .result, named.bytesInReadingOrder)
    default: return nil
    }
  }

  /// Returns the stored value after a SetGet; usually, the new bytes replace the first ones.
  private func changed(_ key: [UInt8], _ value: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    switch key {
    // Only bit 0 may change.
    case [1, 10]: return payload[0] & 0xFE == value[0] & 0xFE ? payload : value
    case [1, 3]: return [value[0] & 0xC0 | payload[0] & 0x3F]
    case [9, 2]: return Array(payload.dropFirst())
    default: break
    }
    guard payload.count == 2, let first = payload.first else {
      return payload + value.dropFirst(payload.count)
    }
    switch key {
    case [1, 5]: return [value[0], first, value[2]]
    case [1, 7]:
      var bands = value
      bands[Int(payload[1]) * 4 + 2] = first
      return bands
    case [1, 11]: return payload + value.dropFirst(2)
    default: return value
    }
  }
}

extension VirtualBose {
  /// A QC45: two modes, no "off", and a battery in %.
  public static let overEar: VirtualBose = {
    var bose = VirtualBose(values: overEarValues)
    bose.devices = .three
    return bose
  }()

  /// A QC35 II: steps of noise cancelling, and automatic power off.
  public static let steps: VirtualBose = {
    var bose = VirtualBose(values: overEarValues)
    bose.values[[0, 3]] = [0x40, 0x20, 0x01]
    bose.values[[1, 2]] = [0] + Array("Bose QC35 II".utf8)
    bose.values[[1, 4]] = [20]
    bose.values[[1, 6]] = [1, 0x0B]
    bose.values[[31, 3]] = nil
    return bose
  }()

  /// A QC Ultra: preset modes and two of the user's own, live settings, and buttons.
  public static let ultra: VirtualBose = {
    var bose = VirtualBose(values: overEarValues)
    bose.values[[0, 3]] = [0x40, 0x66, 0x01]
    bose.values[[1, 2]] = [0] + Array("Bose QC Ultra".utf8)
    bose.modes = ["Quiet", "Aware", "Immersion", "Cinema", "Commute", "Run", ""]
    bose.values[[0, 2]] = [0x87, 0xCC, 0x23, 0xFF]
    bose.values[[1, 5]] = [11, 0, 3]
    bose.closed = [[1, 5]]
    bose.values[[1, 20]] = [1]
    bose.values[[1, 29]] = [0]
    bose.values[[1, 34]] = [1]
    bose.values[[4, 14]] = [1]
    bose.values[[31, 8]] = [11, 0x00, 0x13]
    bose.values[[31, 10]] = [0, 0, 0, 0, 1]
    bose.buttons = [[0x80, 9, 14, 0x00, 0x09, 0x40, 0x02], [0x03, 9, 17, 0x00, 0x0B, 0x40, 0x02]]
    bose.devices = .three
    bose.routes = false
    return bose
  }()

  private static let overEarValues: [[UInt8]: [UInt8]] = [
    [9, 2]: [0, 0, 0, 0], [0, 1]: Array("1.1.0".utf8), [0, 3]: [0x40, 0x39, 0x01],
    [0, 5]: Array("4.0.4".utf8),
    [2, 2]: [90, 0xFF, 0xFF, 0], [31, 3]: [0], [1, 24]: [1], [1, 11]: [1, 2, 0x0F],
    [1, 10]: [0x07], [1, 2]: [0] + Array("Bose QC45".utf8), [1, 3]: [0x61], [1, 27]: [0],
    [1, 7]: [0xF6, 0x0A, 0, 0, 0xF6, 0x0A, 0, 1, 0xF6, 0x0A, 0, 2],
  ]
}
