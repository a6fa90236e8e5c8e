public import BluetoothCodec

/// Google's Fast Pair message stream, as far as it needs no account key: model, battery, firmware,
/// and ringing.
///
/// The headphone reports its model and battery unprompted when the stream opens, and again when
/// they change. A command has succeeded when it is acknowledged.
public struct FastPairProtocol: HeadphoneProtocol {
  public static let name = "Fast Pair"

  private var joiner = FastPairJoiner()
  private var levels: [Part: Battery] = [:]
  /// The battery is that of the whole: there are no buds.
  private var isWhole = false
  private var hasReportedBattery = false
  private var firmware: String?
  private var ringing: Sides = []
  private var refusal: FastPairRefusal?
  /// Whether the acknowledgement of the last command reported the ringing buds.
  private var hasReportedRinging = false
  /// Unknown kinds that have been reported as such.
  private var unknownDevices: Set<FastPairMessage.Kind> = []

  /// 24 bits; nil: not reported yet.
  public private(set) var model: UInt32?
  /// Whether it reported another model than expected: its values are ignored.
  public private(set) var isAnothers = false
  private let expected: UInt32?

  /// - Parameter expected: the model that the headphone is; nil: that is not known.
  public init(of expected: UInt32? = nil) { self.expected = expected }

  /// Capabilities by the reported values; only a command shows whether it rings.
  public var capabilities: Capabilities {
    var able = Capabilities()
    guard !isAnothers else { return able }
    able.batteries = Part.allCases.filter { levels[$0] != nil }
    able.hasCase = levels[.case] != nil
    able.hasFind = true
    return able
  }

  /// The firmware's version, where it is reported.
  public var information: DeviceInformation { DeviceInformation(firmware: firmware) }

  // MARK: Asking

  /// No queries: the headphone reports unprompted.
  public mutating func questions() -> [Exchange] { [] }

  /// The battery, unless it has been reported already.
  public var awaited: [Exchange] {
    hasReportedBattery || isAnothers ? [] : [Exchange(answer: FastPairMessage.Kind.battery.answer)]
  }

  /// Ringing alone.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard case .find(let sides, let isOn) = command else {
      throw .unsupported("\(Self.name): this command")
    }
    (refusal, hasReportedRinging) = (nil, false)
    let ring = FastPairRing(ringing(after: sides, isOn: isOn))
    return [
      Exchange(
        FastPairMessage(.ring, ring.encoded(forWhole: isWhole)).encoded(),
        answer: FastPairMessage.Kind.ring.answer)
    ]
  }

  /// Throws what the headphone answered instead of doing it.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    if let error = refusal.take()?.error(of: "find") { throw error }
    guard case .find(let sides, let isOn) = command else { return [] }
    // An acknowledgement of an older kind carries no state.
    if !hasReportedRinging { ringing = ringing(after: sides, isOn: isOn) }
    return [.findChanged(ringing)]
  }

  /// The mask is of all buds: who rings already goes on.
  private func ringing(after sides: Sides, isOn: Bool) -> Sides {
    let meant = isWhole ? .both : sides
    return isOn ? ringing.union(meant) : ringing.subtracting(meant)
  }

  // MARK: Hearing

  /// Whole messages, wherever the pieces of the stream begin and end.
  public mutating func messages(in value: Bytes) -> [Bytes] { joiner.join(value) }

  /// Parses one message; one of an unknown group is reported as malformed, the first time.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      return try receive(FastPairMessage(decoding: value))
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  private mutating func receive(_ message: FastPairMessage) throws(MalformedBytes) -> ParsedMessage
  {
    // Who waits for something of it waits no longer.
    guard !isAnothers else { return ParsedMessage(answer: message.kind.answer) }
    switch message.kind {
    case .model:
      guard message.data.count == 3 else {
        throw MalformedBytes("Fast Pair model", at: 4, .badLength(message.data.count))
      }
      let reported = message.data.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      isAnothers = reported != model ?? expected ?? reported
      model = reported
      return ParsedMessage()
    case .battery:
      let events = try take(battery: message.data)
      return ParsedMessage(answer: message.kind.answer, events)
    case .firmware:
      firmware = textFromAir(message.data)
      return ParsedMessage()
    case .ring: return try rung(message.data)
    case .acknowledgement: return try acknowledged(message.data)
    case .refusal: return try refused(message.data)
    default:
      guard !message.kind.isKnown, unknownDevices.count < Self.mostUnknownDevices,
        unknownDevices.insert(message.kind).inserted
      else { return ParsedMessage() }
      throw MalformedBytes(
        "Fast Pair message", at: 0, .unknownType(UInt64(message.kind.rawValue)))
    }
  }

  /// Limit of unknown kinds that are reported one by one.
  private static let mostUnknownDevices = 16

  private mutating func take(battery data: Bytes) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard (1...Part.allCases.count).contains(data.count) else {
      throw MalformedBytes("Fast Pair battery", at: 4, .badLength(data.count))
    }
    hasReportedBattery = true
    isWhole = data.count == 1
    let before = levels
    for (part, byte) in zip(Part.allCases, data) {
      let battery = Battery(fastPair: byte)
      // What never had a level, as a case that is far, is not there.
      guard battery.level != nil || levels[part] != nil else { continue }
      levels[part] = battery
    }
    return levels == before ? [] : [.batteryChanged(levels)]
  }

  /// The headphone rings, or has stopped, by itself; that is acknowledged as an order is.
  private mutating func rung(_ data: Bytes) throws(MalformedBytes) -> ParsedMessage {
    let reported = try FastPairRing(decoding: data, ofWhole: isWhole).sides
    let ring = FastPairMessage.Kind.ring.rawValue
    let answer = FastPairMessage(
      .acknowledgement, [UInt8(ring >> 8), UInt8(truncatingIfNeeded: ring)] + data)
    defer { ringing = reported }
    return ParsedMessage(
      reported == ringing ? [] : [.findChanged(reported)], reply: answer.encoded())
  }

  private mutating func acknowledged(_ data: Bytes) throws(MalformedBytes) -> ParsedMessage {
    var reader = ByteReader(data, of: "Fast Pair acknowledgement")
    let kind = FastPairMessage.Kind(rawValue: try reader.uint16().byteSwapped)
    // Nothing else is ordered.
    guard kind == .ring else { return ParsedMessage() }
    if !reader.isAtEnd {
      ringing = try FastPairRing(decoding: reader.rest(), ofWhole: isWhole).sides
      hasReportedRinging = true
    }
    return ParsedMessage(answer: kind.answer)
  }

  private mutating func refused(_ data: Bytes) throws(MalformedBytes) -> ParsedMessage {
    var reader = ByteReader(data, of: "Fast Pair refusal")
    let reason = FastPairRefusal(try reader.uint8())
    let kind = FastPairMessage.Kind(rawValue: try reader.uint16().byteSwapped)
    guard kind == .ring else { return ParsedMessage() }
    refusal = reason
    return ParsedMessage(answer: kind.answer)
  }
}
