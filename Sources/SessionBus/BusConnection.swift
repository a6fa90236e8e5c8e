internal import CSystemd
internal import EventLoop
internal import Glibc

/// A connection to a bus for one piece of work, on the loop's thread; libsystemd starts none.
///
/// Between pieces of work there is none: nobody wakes Earshot over the bus, and a bus that is
/// restarted is no special case.
final class BusConnection {
  let bus: OpaquePointer
  private let loop: PollLoop
  private let clock: any Clock<Duration>

  init(address: BusAddress, loop: PollLoop, clock: any Clock<Duration>) throws(BusError) {
    var bus: OpaquePointer?
    var result = sd_bus_new(&bus)
    if result >= 0 { result = sd_bus_set_address(bus, address.text) }
    if result >= 0 { result = sd_bus_set_bus_client(bus, 1) }
    if result >= 0 { result = sd_bus_start(bus) }
    guard result >= 0, let bus else {
      sd_bus_close_unref(bus)
      throw BusError(connecting: -result)
    }
    self.bus = bus
    self.loop = loop
    self.clock = clock
  }

  deinit { sd_bus_close_unref(bus) }

  /// Sends all calls, and waits for all answers, in the calls' order; nil: none within `limit`.
  nonisolated(nonsending) func answers(
    to calls: [BusMessage], within limit: Duration
  ) async throws(BusError) -> [BusMessage?] {
    let stopwatch = ElapsedClock(clock)
    let answers = calls.map { _ in Answer() }
    defer { for answer in answers { sd_bus_slot_unref(answer.slot) } }
    for (call, answer) in zip(calls, answers) {
      let result = sd_bus_call_async(
        bus, &answer.slot, call.pointer, receiveAnswer,
        Unmanaged.passUnretained(answer).toOpaque(), UInt64.max)
      guard result >= 0 else { throw BusError(connecting: -result) }
    }
    while answers.contains(where: { $0.message == nil }) {
      let result = sd_bus_process(bus, nil)
      guard result >= 0 else { throw BusError(connecting: -result) }
      if result > 0 { continue }
      let left = limit - stopwatch.elapsed
      guard left > .zero, await isReady(within: left) else { break }
    }
    return answers.map(\.message)
  }

  private nonisolated(nonsending) func isReady(within limit: Duration) async -> Bool {
    let descriptor = sd_bus_get_fd(bus)
    let mustWrite = sd_bus_get_events(bus) & POLLOUT != 0
    let isReady = await EventLoop.within(limit, by: clock) { [loop] in
      (try? await mustWrite ? loop.writable(descriptor) : loop.readable(descriptor)) != nil
    }
    return isReady ?? false
  }
}

/// Where an answer goes; it outlives its slot.
private final class Answer {
  var slot: OpaquePointer?
  var message: BusMessage?
}

private func receiveAnswer(
  _ message: OpaquePointer?, _ answer: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let answer else { return 0 }
  Unmanaged<Answer>.fromOpaque(answer).takeUnretainedValue().message = BusMessage(keeping: message)
  return 0
}

extension BusError {
  /// No socket, no address of one, or nobody behind it: there is no bus.
  fileprivate init(connecting code: Int32) {
    switch code {
    case ENOENT, ECONNREFUSED, ENOMEDIUM, ENXIO, ECONNRESET, ENOTCONN, EPIPE: self = .noBus
    default: self = .system(errno: code, during: "talk to the session bus")
    }
  }
}
