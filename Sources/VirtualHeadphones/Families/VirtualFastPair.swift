internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

/// Fast Pair's message stream as a value: messages go in, messages come out.
///
/// On opening, the stream carries the model ID, the charges and, where there is one, the firmware
/// version. Ringing is acknowledged, with the mask where ``reportsRinging``, or refused with a
/// reason.
public struct VirtualFastPair: Hashable, Sendable {
  /// 24 bits.
  public var model: UInt32
  /// What the stream says instead, as another headphone's would; nil: the same.
  public var strangeModel: UInt32?
  /// Battery values as sent: left, right and case, or one for the whole.
  public var battery: [UInt8]
  /// How long the battery lasts, in minutes; nil: not sent.
  public var minutes: UInt8?
  /// Nil: not sent.
  public var firmware: String?
  /// Why it does not ring; nil: it does.
  public var refusal: UInt8?
  /// Whether its acknowledgements say what rings now.
  public var reportsRinging = true
  /// The mask of what rings.
  public internal(set) var ringing: UInt8 = 0
  /// Acknowledgements of the phone's, without their heads.
  public internal(set) var acknowledged: [[UInt8]] = []
  /// Whether it answers nothing.
  public var isSilent = false

  public init(
    model: UInt32, battery: [UInt8], minutes: UInt8? = nil, firmware: String? = nil
  ) {
    self.model = model
    self.battery = battery
    self.minutes = minutes
    self.firmware = firmware
  }

  /// Messages that it sends when the stream opens.
  var greeting: [FastPairMessage] {
    let reported = strangeModel ?? model
    let number = [16, 8, 0].map { UInt8(truncatingIfNeeded: reported >> $0) }
    let version = firmware.map { FastPairMessage(.firmware, Array($0.utf8)) }
    let time = minutes.map { FastPairMessage(.remainingTime, [$0]) }
    return [FastPairMessage(.model, number), FastPairMessage(.battery, battery), time, version]
      .compactMap(\.self)
  }

  /// What it answers; `ring` is all that it can be asked for.
  mutating func respond(to value: Bytes) -> [FastPairMessage] {
    guard !isSilent, let message = try? FastPairMessage(decoding: value) else { return [] }
    switch message.kind {
    case .ring:
      guard let mask = message.data.first else { return [] }
      let kind: [UInt8] = [0x04, 0x01]
      if let refusal { return [FastPairMessage(.refusal, [refusal] + kind + [ringing])] }
      ringing = mask
      return [FastPairMessage(.acknowledgement, reportsRinging ? kind + message.data : kind)]
    case .acknowledgement:
      acknowledged.append(Array(message.data))
      return []
    default: return []
    }
  }

  /// Google's service, which any device may ask for the model.
  var service: ServiceDefinition {
    let number = [16, 8, 0].map { UInt8(truncatingIfNeeded: model >> $0) }
    return ServiceDefinition(
      .fastPair, [CharacteristicDefinition(.fastPairModel, .read, value: number)])
  }
}
