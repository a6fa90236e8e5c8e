internal import EventLoop
internal import Glibc

/// An rfkill switch for Bluetooth: an adapter's, or one of the whole machine.
package struct RfkillSwitch: Hashable, Sendable {
  /// The switch's name: "hci0", or a laptop's own name for it.
  package var name: String
  package var isSoftBlocked: Bool
  /// Whether a hardware button or the firmware blocks the radio.
  package var isHardBlocked: Bool

  package init(name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
    self.name = name
    self.isSoftBlocked = isSoftBlocked
    self.isHardBlocked = isHardBlocked
  }

  package var isBlocking: Bool { isSoftBlocked || isHardBlocked }
}

struct RfkillState: Sendable {
  /// The directory with one subdirectory per switch, containing `name`, `type`, `soft` and `hard`.
  var directory = "/sys/class/rfkill"

  /// Whether the switch of `adapter` blocks, or any Bluetooth switch if `adapter` is nil.
  ///
  /// A laptop's own switch has another name than the adapter, which disappears while it is off.
  func isBlocked(_ adapter: String? = nil) -> Bool {
    all().contains { $0.isBlocking && (adapter == nil || $0.name == adapter) }
  }

  func all() -> [RfkillSwitch] {
    KernelFile(directory).entries.filter { $0.hasPrefix("rfkill") }.compactMap { entry in
      let line = { (file: String) in KernelFile("\(directory)/\(entry)/\(file)").firstLine }
      guard line("type") == "bluetooth" else { return nil }
      return RfkillSwitch(
        name: line("name") ?? entry, isSoftBlocked: line("soft") == "1",
        isHardBlocked: line("hard") == "1")
    }.sorted { $0.name < $1.name }
  }
}

extension RfkillState {
  /// Yields whenever a switch is added, removed or used; ends at once if `device` is unreadable.
  static func changes(of device: String = "/dev/rfkill", loop: PollLoop) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { changes in
      let file = open(device, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { return changes.finish() }
      guard drain(file) else {
        loop.close(file)
        return changes.finish()
      }
      let task = Task {
        await LoopReader(on: loop).run { _ in
          while (try? await loop.readable(file)) != nil, drain(file) { changes.yield() }
        }
        loop.close(file)
        changes.finish()
      }
      changes.onTermination = { _ in task.cancel() }
    }
  }

  private static func drain(_ file: Int32) -> Bool {
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
