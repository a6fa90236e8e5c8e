internal import BluetoothCodec
internal import EventLoop

/// The kernel's management channel, or a test's.
protocol ManagementChannel: Sendable {
  /// False if it was not taken; the kernel's refusal comes as an event.
  @discardableResult
  func send(_ command: ManagementCommand, to adapter: AdapterInfo) -> Bool

  /// The next event; nil when none will come any more, or the task is cancelled.
  func next() async -> ManagementEventPacket?
}

/// The management socket, waited for on the poll loop.
struct PolledManagement: ManagementChannel {
  let socket: ManagementSocket
  let loop: PollLoop

  func send(_ command: ManagementCommand, to adapter: AdapterInfo) -> Bool {
    socket.send(command, to: adapter)
  }

  func next() async -> ManagementEventPacket? {
    while true {
      switch socket.receive() {
      case .packet(let packet): return packet
      case .malformed: continue
      case .ended: return nil
      case .nothing:
        guard (try? await loop.readable(socket.descriptor.number)) != nil else { return nil }
      }
    }
  }
}
