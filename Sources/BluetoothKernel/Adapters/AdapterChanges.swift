internal import BluetoothCodec
internal import EventLoop

/// A source of notices that adapters were added, removed, reconfigured or blocked.
enum AdapterChanges {
  /// Yields after one or more changes; ends at once if the kernel has no Bluetooth.
  static func stream(loop: PollLoop) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { changes in
      guard let socket = try? ManagementSocket() else { return changes.finish() }
      // The channel reports nothing when a switch unblocks an adapter that stays off.
      let switching = Task {
        for await _ in RfkillState.changes(loop: loop) { changes.yield() }
      }
      let task = Task {
        await LoopReader(on: loop).run { _ in
          while (try? await loop.readable(socket.descriptor.number)) != nil {
            switch drain(socket) {
            case true?: changes.yield()
            case false?: continue
            case nil: return changes.finish()
            }
          }
          changes.finish()
        }
      }
      changes.onTermination = { _ in
        task.cancel()
        switching.cancel()
      }
    }
  }

  private static func drain(_ socket: ManagementSocket) -> Bool? {
    var hasChange = false
    while true {
      switch socket.receive() {
      case .packet(let packet):
        switch packet.event {
        case .indexAdded, .indexRemoved, .newSettings: hasChange = true
        default: continue
        }
      case .malformed: continue
      case .nothing: return hasChange
      case .ended: return nil
      }
    }
  }
}
