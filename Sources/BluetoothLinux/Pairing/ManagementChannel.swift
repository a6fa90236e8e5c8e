internal import BluetoothCodec
internal import EventLoop

/// The kernel's management channel, or that of a test.
protocol ManagementChannel: Sendable {
  /// Sends a command; false if the kernel did not accept it. A refusal arrives as an event.
  @discardableResult
  func send(_ command: ManagementCommand, to adapter: AdapterInfo) -> Bool

  /// The next event; `nil` after the last one, or if the task is cancelled.
  func next() async -> ManagementEventPacket?
}

/// The management socket, whose events are awaited on the poll loop.
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
