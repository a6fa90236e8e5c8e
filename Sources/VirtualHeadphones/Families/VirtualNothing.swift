public import BluetoothCodec
public import HeadphoneProtocols

/// A headphone of Nothing or CMF; as by real ones, unsupported requests are not answered.
public struct VirtualNothing: VirtualLEHeadphone {
  public var service: BluetoothUUID { NothingProtocol.service }
  public var write: BluetoothUUID { .bit16(0xFD91) }
  public var writing: CharacteristicProperties { .write }
  public var notify: BluetoothUUID { .bit16(0xFD92) }
  public var advertised: [AdvertisingStructure] {
    [.serviceUUIDs([service, .fastPair], isComplete: false)]
  }

  public var battery: NothingBattery
  /// The state of noise control, or nil if there is none.
  public var noise: NothingNoise?
  /// The modes that are acknowledged but not applied.
  public var missing: Set<NothingNoise> = []
  /// The number of the equaliser preset: 0 balanced, 1 voice, and so on.
  public var eq: UInt8 = 0
  /// The custom equaliser, with peak, high shelf and low shelf in this unusual order, so that tests
  /// reveal any assumption about it.
  public var gains: NothingGains? = NothingGains([
    .init(filter: 1, gain: 0, frequency: 980, quality: 0.7),
    .init(filter: 2, gain: 1, frequency: 3400, quality: 1),
    .init(filter: 0, gain: 2, frequency: 140, quality: 0.8),
  ])
  /// Whether in-ear detection is on.
  public var detectsWearing = true
  /// The firmware version, reported as text.
  public var firmware: String
  /// The serial number, reported in a line of part, kind and value, or nil if there is none.
  public var serial: String?
  /// The answers to other requests; a command replaces the answer of its request.
  public var payloads: [UInt16: [UInt8]] = [:]
  /// The results of a fit test, left and right, or nil if there is no fit test.
  public var fit: [UInt8]?
  /// Whether answers except the battery's are held back, once, until the firmware is requested, and
  /// then reversed.
  public var respondsInReverse = false
  private var held: [[UInt8]] = []
  /// The numbers of the ringing buds.
  public private(set) var ringing: Set<UInt8> = []

  public init(battery: NothingBattery, noise: NothingNoise?, firmware: String) {
    self.battery = battery
    self.noise = noise
    self.firmware = firmware
  }

  /// Returns the answers to a frame, without checksums; a malformed frame gets none.
  public mutating func respond(to value: Bytes) -> [[UInt8]] {
    guard let frame = try? NothingFrame(decoding: value),
      let payload = execute(frame.command, Array(frame.payload))
    else { return [] }
    let response = NothingFrame(
      NothingCommand.response(to: frame.command), operation: frame.operation,
      payload: payload[...], checksum: .none)
    if frame.command == NothingCommand.testFit, let fit {
      let result = NothingFrame(
        NothingCommand.fitNews, operation: 0, payload: fit[...], checksum: .none)
      return [response.encoded(), result.encoded()]
    }
    guard respondsInReverse, frame.command != NothingCommand.readBattery else {
      return [response.encoded()]
    }
    held.insert(response.encoded(), at: 0)
    guard frame.command == NothingCommand.readFirmware else { return [] }
    defer { (held, respondsInReverse) = ([], false) }
    return held
  }

  private mutating func execute(_ command: UInt16, _ payload: [UInt8]) -> [UInt8]? {
    switch command {
    case NothingCommand.readBattery: return battery.encoded()
    case NothingCommand.readNoise: return noise.map { [0, $0.rawValue] }
    case NothingCommand.readEQ: return [eq]
    case NothingCommand.readGains: return gains?.encoded()
    case NothingCommand.readInEarDetection: return [1, 1, detectsWearing ? 1 : 0]
    case NothingCommand.readFirmware: return Array(firmware.utf8)
    case NothingCommand.readSerialNumber: return serial.map { Array("2,4,\($0)\n".utf8) }
    case NothingCommand.setNoise where payload.count == 3:
      if let requested = NothingNoise(rawValue: payload[1]), noise != nil,
        !missing.contains(requested)
      {
        noise = requested
      }
      return []
    case NothingCommand.setEQ where payload.count == 2:
      eq = payload[0]
      return []
    case NothingCommand.setGains:
      guard gains != nil, let requested = try? NothingGains(decoding: payload[...]) else {
        return nil
      }
      gains = requested
      return []
    case NothingCommand.setInEarDetection where payload.count == 3:
      detectsWearing = payload[2] == 1
      return []
    case NothingCommand.ring where payload.count == 2:
      if payload[1] == 1 { ringing.insert(payload[0]) } else { ringing.remove(payload[0]) }
      return []
    case NothingCommand.testFit: return fit.map { _ in [] }
    case NothingCommand.setGesture where payload.count == 5:
      guard var gestures = payloads[NothingCommand.readGestures] else { return nil }
      for place in stride(from: 1, to: gestures.count, by: 4)
      where gestures[place] == payload[1] && gestures[place + 2] == payload[3] {
        gestures[place + 3] = payload[4]
      }
      payloads[NothingCommand.readGestures] = gestures
      return []
    default: return answer(command, payload)
    }
  }

  private mutating func answer(_ command: UInt16, _ payload: [UInt8]) -> [UInt8]? {
    let questions = [
      NothingCommand.setLowLatency: NothingCommand.readLowLatency,
      NothingCommand.setBass: NothingCommand.readBass,
      NothingCommand.setSpatialSound: NothingCommand.readSpatialSound,
      NothingCommand.setPersonalisedCancelling: NothingCommand.readPersonalisedCancelling,
      NothingCommand.setListeningMode: NothingCommand.readListeningMode,
      NothingCommand.setAutoPowerOff: NothingCommand.readAutoPowerOff,
      NothingCommand.setMultipoint: NothingCommand.readMultipoint,
    ]
    guard let question = questions[command] else { return payloads[command] }
    guard payloads[question] != nil else { return nil }
    payloads[question] = payload
    return []
  }
}
