public import BluetoothCodec

/// The protocol of Google's Fast Pair message stream, without the parts that need an account key.
///
/// The headphone reports its model and battery unprompted when the stream opens, and again after a
/// change. An acknowledgement confirms a command.
public struct FastPairProtocol: HeadphoneProtocol {
  public typealias Frame = FastPairMessage

  public static let name = "Fast Pair"

  private var joiner = FastPairJoiner()
  private var levels: [Part: Battery] = [:]
  /// Whether the battery is that of the whole headphone, which then has no buds.
  private var isWhole = false
  private var hasReportedBattery = false
  /// The remaining battery time in minutes, or nil if not reported.
  private var remainingMinutes: UInt16?
  private var firmware: String?
  private var ringing: Sides = []
  private var refusal: FastPairRefusal?
  /// Whether the last acknowledgement reported the ringing buds.
  private var hasReportedRinging = false

  /// The model, 24 bits, or nil if not reported yet.
  public private(set) var model: UInt32?
  /// Whether the headphone reported another model than expected, so that its values are ignored.
  public private(set) var isAnothers = false
  private let expected: UInt32?

  /// Creates the protocol of a headphone of the expected model, or of any model if it is nil.
  public init(of expected: UInt32? = nil) { self.expected = expected }

  /// Ringing is only known after a command.
  public var capabilities: Capabilities {
    var able = Capabilities()
    guard !isAnothers else { return able }
    able.batteries = Part.allCases.filter { levels[$0] != nil }
    able.hasCase = levels[.case] != nil
    able.hasFind = true
    if remainingMinutes != nil { able.settings = [Self.remainingTime] }
    return able
  }

  public var information: DeviceInformation { DeviceInformation(firmware: firmware) }

  public var isRecognised: Bool { !isAnothers }

  public mutating func questions() -> [Exchange] { [] }

  /// The battery, unless it was reported.
  public var awaited: [Exchange] {
    hasReportedBattery || isAnothers
      ? [] : [Exchange(response: FastPairMessage.Kind.battery.response)]
  }

  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard case .find(let sides, let isOn) = command else {
      throw .noCommand(of: Self.name)
    }
    (refusal, hasReportedRinging) = (nil, false)
    let ring = FastPairRing(ringing(after: sides, isOn: isOn))
    return [
      Exchange(
        FastPairMessage(.ring, ring.encoded(forWhole: isWhole)).encoded(),
        response: FastPairMessage.Kind.ring.response)
    ]
  }

  /// Returns the ringing buds after a command, or throws the headphone's refusal.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    if let error = refusal.take()?.error(of: "find") { throw error }
    guard case .find(let sides, let isOn) = command else { return [] }
    // Acknowledgements of older headphones lack the state.
    if !hasReportedRinging { ringing = ringing(after: sides, isOn: isOn) }
    return [.findChanged(ringing)]
  }

  /// Returns the buds that ring after a command, including those that ring already.
  private func ringing(after sides: Sides, isOn: Bool) -> Sides {
    let meant = isWhole ? .both : sides
    return isOn ? ringing.union(meant) : ringing.subtracting(meant)
  }

  public mutating func messages(in value: Bytes) -> [Bytes] { joiner.join(value) }

  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    do throws(MalformedBytes) {
      return try receive(FastPairMessage(decoding: value))
    } catch {
      return ParsedMessage([.malformed(error, value)])
    }
  }

  private mutating func receive(_ message: FastPairMessage) throws(MalformedBytes) -> ParsedMessage
  {
    // The exchange that waits for the message ends nevertheless.
    guard !isAnothers else { return ParsedMessage(response: message.kind.response) }
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
      let events = try parse(battery: message.data)
      return ParsedMessage(response: message.kind.response, events)
    case .remainingTime:
      var reader = ByteReader(message.data, of: "Fast Pair remaining time")
      let minutes =
        message.data.count == 1 ? UInt16(try reader.uint8()) : try reader.uint16().byteSwapped
      try reader.finish()
      defer { remainingMinutes = minutes }
      let (hours, rest) = (minutes / 60, minutes % 60)
      let words =
        (hours > 0 ? ["\(hours) h"] : []) + (rest > 0 || hours == 0 ? ["\(rest) min"] : [])
      return ParsedMessage(
        minutes == remainingMinutes
          ? []
          : [.settingChanged(Self.remainingTime.id, .text(words.joined(separator: " ")))])
    case .firmware:
      firmware = textFromAir(message.data)
      return ParsedMessage()
    case .ring: return try rung(message.data)
    case .acknowledgement: return try acknowledged(message.data)
    case .refusal: return try refused(message.data)
    default:
      guard !message.kind.isKnown else { return ParsedMessage() }
      return ParsedMessage([
        .unknown("Fast Pair message \(hexadecimal(message.kind.rawValue, width: 4))")
      ])
    }
  }

  private static let remainingTime = SettingDeclaration("remaining-time", .reading)

  private mutating func parse(battery data: Bytes) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard (1...Part.allCases.count).contains(data.count) else {
      throw MalformedBytes("Fast Pair battery", at: 4, .badLength(data.count))
    }
    hasReportedBattery = true
    isWhole = data.count == 1
    let before = levels
    for (part, byte) in zip(Part.allCases, data) {
      let battery = Battery(fastPair: byte)
      // A part that never had a level, such as a distant case, does not exist.
      guard battery.level != nil || levels[part] != nil else { continue }
      levels[part] = battery
    }
    return levels == before ? [] : [.batteryChanged(levels)]
  }

  /// Handles ringing that the headphone started or stopped, which needs an acknowledgement.
  private mutating func rung(_ data: Bytes) throws(MalformedBytes) -> ParsedMessage {
    let reported = try FastPairRing(decoding: data, ofWhole: isWhole).sides
    let ring = FastPairMessage.Kind.ring.rawValue
    let response = FastPairMessage(
      .acknowledgement, [UInt8(ring >> 8), UInt8(truncatingIfNeeded: ring)] + data)
    defer { ringing = reported }
    return ParsedMessage(
      reported == ringing ? [] : [.findChanged(reported)], reply: response.encoded())
  }

  private mutating func acknowledged(_ data: Bytes) throws(MalformedBytes) -> ParsedMessage {
    var reader = ByteReader(data, of: "Fast Pair acknowledgement")
    let kind = FastPairMessage.Kind(rawValue: try reader.uint16().byteSwapped)
    // Ringing is the only command that is sent.
    guard kind == .ring else { return ParsedMessage() }
    if !reader.isAtEnd {
      ringing = try FastPairRing(decoding: reader.rest(), ofWhole: isWhole).sides
      hasReportedRinging = true
    }
    return ParsedMessage(response: kind.response)
  }

  private mutating func refused(_ data: Bytes) throws(MalformedBytes) -> ParsedMessage {
    var reader = ByteReader(data, of: "Fast Pair refusal")
    let reason = FastPairRefusal(try reader.uint8())
    let kind = FastPairMessage.Kind(rawValue: try reader.uint16().byteSwapped)
    guard kind == .ring else { return ParsedMessage() }
    refusal = reason
    return ParsedMessage(response: kind.response)
  }
}
