internal import BluetoothAttributes
internal import BluetoothCodec
internal import HeadphoneProtocols

/// A simulated Fast Pair message stream as a value: it receives messages and returns messages.
///
/// When the stream opens, the headphone sends the model ID, the battery levels and, if set, the
/// firmware version. Ringing is acknowledged, with the mask if ``reportsRinging``, or rejected with
/// a reason.
public struct VirtualFastPair: Hashable, Sendable {
  /// The model ID, 24 bits.
  public var model: UInt32
  /// The model ID that the stream reports instead of ``model``, or nil for the same one.
  public var strangeModel: UInt32?
  /// The battery values as sent: left, right and case, or one for the whole headphone.
  public var battery: [UInt8]
  /// The remaining battery time in minutes, or nil if it is not sent.
  public var minutes: UInt8?
  /// The firmware version, or nil if it is not sent.
  public var firmware: String?
  /// The reason for which ringing is rejected, or nil if it is accepted.
  public var refusal: UInt8?
  /// Whether acknowledgements contain the ringing buds.
  public var reportsRinging = true
  /// The bit mask of the ringing buds.
  public internal(set) var ringing: UInt8 = 0
  /// The received acknowledgements, without their headers.
  public internal(set) var acknowledged: [[UInt8]] = []
  /// Whether no message is answered.
  public var isSilent = false

  public init(
    model: UInt32, battery: [UInt8], minutes: UInt8? = nil, firmware: String? = nil
  ) {
    self.model = model
    self.battery = battery
    self.minutes = minutes
    self.firmware = firmware
  }

  var greeting: [FastPairMessage] {
    let reported = strangeModel ?? model
    let number = [16, 8, 0].map { UInt8(truncatingIfNeeded: reported >> $0) }
    let version = firmware.map { FastPairMessage(.firmware, Array($0.utf8)) }
    let time = minutes.map { FastPairMessage(.remainingTime, [$0]) }
    return [FastPairMessage(.model, number), FastPairMessage(.battery, battery), time, version]
      .compactMap(\.self)
  }

  /// Returns the messages that answer a message; only `ring` is answered.
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

  /// Google's service, in which any device may read the model ID.
  var service: ServiceDefinition {
    let number = [16, 8, 0].map { UInt8(truncatingIfNeeded: model >> $0) }
    return ServiceDefinition(
      .fastPair, [CharacteristicDefinition(.fastPairModel, .read, value: number)])
  }
}
