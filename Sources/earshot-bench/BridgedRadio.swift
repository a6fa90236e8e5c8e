internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop
internal import Locking
internal import VirtualHeadphones

/// Virtual headphones whose links carry additional notifications, as fast as the app accepts them.
final class BridgedRadio: ForwardingRadio {
  let base: any Radio
  private let loop: PollLoop
  private let bridges = Mutex<[PeerAddress: Bridge]>([:])

  init(_ base: VirtualRadio, loop: PollLoop) {
    self.base = base
    self.loop = loop
  }

  func bridge(of headphone: VirtualHeadphone) -> Bridge? {
    bridges.withLock { $0[headphone.model.address] }
  }

  func connect(to peer: PeerAddress, timeout: Duration) async throws(RadioError) -> any Bearer {
    let headphone = try await base.connect(to: peer, timeout: timeout)
    do throws(SystemCallError) {
      let (first, second) = try SocketBearer.packetPair()
      let near = try SocketBearer(descriptor: first, loop: .shared)
      let bridge = Bridge(
        headphone: headphone, app: try SocketBearer(descriptor: second, loop: loop), on: loop)
      bridge.start()
      bridges.withLock { $0[peer] = bridge }
      return near
    } catch {
      throw .cancelled
    }
  }
}

/// A bridge that carries PDUs between a headphone and the app, and adds notifications.
actor Bridge {
  private let headphone: any Bearer
  private let app: SocketBearer
  private var handle: [UInt8] = []

  private nonisolated let loop: PollLoop

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(headphone: any Bearer, app: SocketBearer, on loop: PollLoop) {
    self.loop = loop
    self.headphone = headphone
    self.app = app
  }

  nonisolated func start() {
    Task { await carry(from: app, to: headphone) }
    Task { await carry(from: headphone, to: app) }
  }

  private func carry(from one: any Bearer, to other: any Bearer) async {
    do throws(BearerClosed) {
      while true {
        let pdu = try await one.receive()
        if pdu.first == Self.notification { handle = Array(pdu.dropFirst().prefix(2)) }
        try await other.send(pdu)
      }
    } catch {
      other.close(error.reason)
    }
  }

  private static let notification: UInt8 = 0x1B

  /// Notifies charges at a constant rate, or more slowly if the app accepts no more.
  func flood(_ count: Int, within duration: Duration) async {
    let begin = ContinuousClock.now
    var sent = 0
    do {
      while sent < count {
        let due = min(count, Int(Double(count) * (begin.duration(to: .now) / duration)))
        while sent < due {
          try await notify(level: UInt8(50 + sent % 50))
          sent += 1
        }
        try await MainLoop.clock.sleep(for: .milliseconds(2))
      }
    } catch {
      // The link has ended, which the app's state shows.
    }
  }

  func notify(level: UInt8) async throws {
    let pdu = [Self.notification] + handle + [0x02, level, 75, 50]
    try await app.send(pdu[...])
  }

  func time() -> Double { threadTime() }
}
