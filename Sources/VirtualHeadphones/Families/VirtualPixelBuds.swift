public import BluetoothCodec
public import HeadphoneProtocols

/// Simulated Pixel Buds Pro of either generation, as a value.
public struct VirtualPixelBuds: VirtualSerialHeadphone {
  /// The battery levels in % of case, left and right, or nil for a missing part.
  public var levels: [UInt8?]
  /// The channel on which the primary bud answers.
  public var channel: UInt64 = 21
  /// The values of settings, by number.
  public var switches: [Int: UInt64] = [2: 1, 4: 1, 11: 0, 13: 1, 15: 0, 19: 0, 22: 0]
  /// Whether touch and hold cycles through each mode: cancelling, off, transparency and, on models
  /// that have it, adaptive.
  public var noiseCycle: [UInt64] = [1, 0, 1]
  /// The gains of the equaliser in dB, in ascending frequency.
  public var gains: [Float] = [0, 0, 0, 0, 0]

  public init(levels: [UInt8?]) { self.levels = levels }

  public var service: BluetoothUUID { PixelBudsProtocol.service }
  public var format: FrameFormat { PixelBudsFrame.format }

  public mutating func respond(to frame: Bytes) -> [[UInt8]] {
    guard let frame = try? PixelBudsFrame(decoding: frame),
      let call = try? PixelBudsCall(decoding: frame.data), call.channel == channel,
      let method = call.method
    else { return [] }
    var response = call
    response.kind = method == .subscribeToRuntime ? .serverStream : .response
    guard let payload = execute(method, call.payload) else {
      response.kind = .serverError
      return [response.frame(isFromPhone: false).encoded()]
    }
    response.payload = payload
    return method == .subscribeToSettings
      ? [] : [response.frame(isFromPhone: false).encoded()]
  }

  private mutating func execute(
    _ method: PixelBudsCall.Method, _ payload: ProtobufMessage
  ) -> ProtobufMessage? {
    switch method {
    case .softwareInformation:
      let version = ProtobufMessage([(2, .bytes(Array("release_5.11_signed".utf8)))]).encoded()
      return ProtobufMessage([(4, .bytes(ProtobufMessage([(3, .bytes(version))]).encoded()))])
    case .subscribeToRuntime:
      let cells = levels.enumerated().compactMap { index, level in
        level.map {
          (
            number: index + 1,
            value: ProtobufMessage.Value.bytes(
              ProtobufMessage([(1, .varint(UInt64($0))), (2, .varint(1))]).encoded())
          )
        }
      }
      return ProtobufMessage([(6, .bytes(ProtobufMessage(cells).encoded()))])
    case .subscribeToSettings: return ProtobufMessage()
    case .readSetting: return payload.number(4).flatMap { setting(Int($0)) }
    case .writeSetting: return write(payload)
    }
  }

  private func setting(_ number: Int) -> ProtobufMessage? {
    let value: ProtobufMessage.Value
    if number == 16 {
      let fields = gains.enumerated().map { index, gain in
        (number: index + 1, value: ProtobufMessage.Value.fixed32(gain.bitPattern))
      }
      value = .bytes(ProtobufMessage(fields).encoded())
    } else if number == 12 {
      // False fields are omitted.
      let fields = noiseCycle.enumerated().filter { $1 != 0 }.map { index, isOn in
        (number: index + 1, value: ProtobufMessage.Value.varint(isOn))
      }
      value = .bytes(ProtobufMessage(fields).encoded())
    } else {
      guard let number = switches[number] else { return nil }
      value = .varint(number)
    }
    return ProtobufMessage([(4, .bytes(ProtobufMessage([(number, value)]).encoded()))])
  }

  private mutating func write(_ payload: ProtobufMessage) -> ProtobufMessage? {
    guard let setting = try? payload.message(4), let (number, _) = setting.fields.first else {
      return nil
    }
    if let value = setting.number(number) {
      switches[number] = value
    } else if number == 12, let modes = try? setting.message(number) {
      noiseCycle = noiseCycle.indices.map { modes.number($0 + 1) ?? 0 }
    } else if number == 16, let bands = try? setting.message(number) {
      gains = (1...5).map { Float(bitPattern: bands.fixed32($0) ?? 0) }
    }
    return ProtobufMessage()
  }
}
