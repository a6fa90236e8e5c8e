internal import EventLoop
internal import Glibc

extension RfkillState {
  /// A stream that yields when a switch comes, goes or is used.
  ///
  /// Finished at once where the device cannot be read.
  static func changes(of device: String = "/dev/rfkill", loop: PollLoop) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { changes in
      let file = open(device, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { return changes.finish() }
      // What it says at first is which switches there are.
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

  /// What the events say is read from the switches themselves; false when none will come any more.
  private static func takeAll(_ file: Int32) -> Bool {
    // The kernel gives one event of 8 or 9 bytes for each read.
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
