import Bluetooth
import BluetoothCodec
import EventLoop
import GATT
import HeadphoneProtocols
import TestSupport
import VirtualHeadphones

/// A virtual headphone and a phone that is connected to it.
struct Phone {
  static let loop = PollLoop(name: "test-io")

  /// The headphone's and the radio's time; while connected one sleeps until a battery changes.
  let clock = ManualClock()
  /// The time by which answers to ATT requests are awaited.
  let requestClock = ManualClock()
  let headphone: VirtualHeadphone
  let radio: VirtualRadio

  init(_ model: VirtualModel = .aurora, script: SimulationScript = SimulationScript()) {
    headphone = VirtualHeadphone(model, loop: Self.loop, clock: clock, script: script)
    radio = VirtualRadio(headphones: [headphone], clock: clock, bonds: PhoneBonds())
  }

  func connect(options: GATTOptions = GATTOptions()) async throws -> GATTClient {
    let bearer = try await radio.connect(to: headphone.model.address, timeout: .seconds(10))
    return GATTClient(bearer: bearer, clock: requestClock, options: options)
  }

  func bearer() async throws -> any Bearer {
    try await radio.connect(to: headphone.model.address, timeout: .seconds(10))
  }
}

extension Bearer {
  /// Sends one PDU and takes the next one that comes.
  func exchange(_ pdu: Bytes) async throws -> [UInt8] {
    try await send(pdu)
    return Array(try await receive())
  }
}

extension VirtualModel {
  /// This headphone, with which time passes on `clock` where it leaves a question open.
  func passingTime(on clock: ManualClock) -> VirtualModel {
    guard case .serial(let serial)? = family else { return self }
    var model = self
    model.family = .serial(VirtualSerial(TimedHeadphone(serial.headphone, clock: clock)))
    return model
  }
}

/// A serial headphone that moves the clock by which a driver awaits its responses.
///
/// On a busy machine a response may come later than any limit; only a question that stays open
/// comes to its limit here.
struct TimedHeadphone: VirtualSerialHeadphone {
  private(set) var headphone: any VirtualSerialHeadphone
  private let clock: ManualClock
  /// An Edifier headband's one battery was read, and the two of buds were asked for with it.
  private var hasResponse = false

  init(_ headphone: any VirtualSerialHeadphone, clock: ManualClock) {
    self.headphone = headphone
    self.clock = clock
  }

  var service: BluetoothUUID { headphone.service }
  var vendor: UInt16? { headphone.vendor }
  var channel: UInt8? { headphone.channel }
  var format: FrameFormat { headphone.format }

  mutating func open() -> [[UInt8]] { headphone.open() }

  mutating func respond(to frame: Bytes) -> [[UInt8]] {
    let responses = headphone.respond(to: frame)
    if isOpenQuestion(frame, responses) { clock.advance(by: .seconds(1)) }
    return responses
  }

  private mutating func isOpenQuestion(_ frame: Bytes, _ responses: [[UInt8]]) -> Bool {
    switch headphone {
    // An acknowledgement alone.
    case is VirtualSony: return responses.count == 1
    case is VirtualEdifier:
      let command = (try? EdifierFrame(decoding: frame))?.command
      defer { hasResponse = command == 0xD0 && !responses.isEmpty }
      // What sets noise control has no response.
      return responses.isEmpty && !hasResponse && command != 0xC1
    default: return false
    }
  }

  static func == (a: TimedHeadphone, b: TimedHeadphone) -> Bool {
    AnyHashable(a.headphone) == AnyHashable(b.headphone)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(headphone)) }
}
