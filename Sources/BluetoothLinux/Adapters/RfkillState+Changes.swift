internal import EventLoop
internal import Glibc

extension RfkillState {
  /// Yields whenever a switch is added, removed or used.
  ///
  /// The stream ends at once if the device cannot be read.
  static func changes(of device: String = "/dev/rfkill", loop: PollLoop) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { changes in
      let file = open(device, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { return changes.finish() }
      // The first events list the existing switches.
      guard takeAll(file) else {
        loop.close(file)
        return changes.finish()
      }
      let task = Task {
        while (try? await loop.readable(file)) != nil, takeAll(file) { changes.yield() }
        loop.close(file)
        changes.finish()
      }
      changes.onTermination = { _ in task.cancel() }
    }
  }

  /// Consumes the pending events, whose content is read from the switches instead; false after the
  /// last one.
  private static func takeAll(_ file: Int32) -> Bool {
    // Each read returns one event of 8 or 9 bytes.
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { room in
      while true {
        switch systemCall({ read(file, room.baseAddress, room.count) }) {
        case .done(0), .failed: return false
        case .done: continue
        case .wouldBlock: return true
        }
      }
    }
  }
}
