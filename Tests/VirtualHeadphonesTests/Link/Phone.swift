import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import HeadphoneProtocols
import TestSupport
import VirtualHeadphones

/// A virtual headphone and a phone connected to it.
struct Phone {
  static let loop = PollLoop(name: "test-io")

  /// The time of headphone and radio; while connected, one task sleeps until a battery changes.
  let clock = ManualClock()
  /// The clock for responses to ATT requests.
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
  /// Sends one PDU, and returns the next one received.
  func exchange(_ pdu: Bytes) async throws -> [UInt8] {
    try await send(pdu)
    return Array(try await receive())
  }
}
