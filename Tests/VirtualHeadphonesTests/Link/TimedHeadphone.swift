import BluetoothCodec
import HeadphoneProtocols
import TestSupport
import VirtualHeadphones

extension VirtualModel {
  /// Returns the headphone with a clock that moves when it leaves a request open.
  func timed(by clock: ManualClock) -> VirtualModel {
    guard case .serial(let serial)? = family else { return self }
    var model = self
    model.family = .serial(VirtualSerial(TimedHeadphone(serial.headphone, clock: clock)))
    return model
  }
}

/// A serial headphone that moves the clock of its driver's time-outs.
///
/// A request that is left open times out at once, and no other one does, however busy the machine
/// is.
struct TimedHeadphone: VirtualSerialHeadphone {
  private(set) var headphone: any VirtualSerialHeadphone
  private let clock: ManualClock
  /// Whether an Edifier headband has reported its one battery, so that the next frame asks for
  /// buds.
  private var isNextAnswered = false

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
    // The deadline has begun: it is set before the question is written.
    if isOpenQuestion(frame, responses) { clock.jump(by: .seconds(1)) }
    return responses
  }

  private mutating func isOpenQuestion(_ frame: Bytes, _ responses: [[UInt8]]) -> Bool {
    switch headphone {
    // An acknowledgement alone.
    case is VirtualSony: return responses.count == 1
    case is VirtualEdifier:
      let command = (try? EdifierFrame(decoding: frame))?.command
      defer { isNextAnswered = command == 0xD0 && !responses.isEmpty }
      // What sets noise control has no response.
      return responses.isEmpty && !isNextAnswered && command != 0xC1
    default: return false
    }
  }

  static func == (a: TimedHeadphone, b: TimedHeadphone) -> Bool {
    AnyHashable(a.headphone) == AnyHashable(b.headphone)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(headphone)) }
}
