internal import BluetoothCodec
internal import EventLoop

protocol ManagementChannel: Sendable {
  /// Sends a command, whose errors arrive as events; returns false if it could not be sent.
  @discardableResult
  func send(_ command: ManagementCommand, to adapter: AdapterInfo) -> Bool

  func next() async -> ManagementEventPacket?
}

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
