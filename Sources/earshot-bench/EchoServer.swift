internal import CPoll
internal import EventLoop
internal import Glibc

/// A thread that answers each packet on a descriptor with the same bytes.
enum EchoServer {
  static func start(on descriptor: Int32, response: [UInt8]) {
    Thread.start {
      var room = [UInt8](repeating: 0, count: 1024)
      while recv(descriptor, &room, room.count, 0) > 0 {
        _ = send(descriptor, response, response.count, Int32(MSG_NOSIGNAL))
      }
      close(descriptor)
    }
  }

  static func connected(response: [UInt8]) throws(SystemCallError) -> Int32 {
    let (ours, theirs) = try SocketBearer.packetPair()
    setBlocking(theirs)
    start(on: theirs, response: response)
    return ours
  }

  static func setBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
  }
}

enum Thread {
  static func start(_ body: @escaping @Sendable () -> Void) {
    var thread: pthread_t = 0
    pthread_create(&thread, nil, runThread, Unmanaged.passRetained(Body(run: body)).toOpaque())
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}

/// Pins the process, including its later threads, to the current processor.
func stayOnOneProcessor() {
  let processor = max(0, Int(sched_getcpu()))
  var set = [UInt8](repeating: 0, count: 128)
  set[processor / 8] |= 1 << UInt8(processor % 8)
  _ = sched_setaffinity(0, set.count, &set)
}
