internal import BluetoothCodec
internal import EventLoop

/// A stream of changes: an adapter came, went or changed a setting (management channel), or a
/// radio switch was used.
enum AdapterChanges {
  /// Finished at once where the kernel has no Bluetooth.
  static func stream(loop: PollLoop) -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { changes in
      guard let socket = try? ManagementSocket() else { return changes.finish() }
      // The channel is silent when a switch lets an adapter go that stays off.
      let switching = Task {
        for await _ in RfkillState.changes(loop: loop) { changes.yield() }
      }
      let task = Task {
        while (try? await loop.readable(socket.descriptor.number)) != nil {
          switch takeAll(socket) {
          case true?: changes.yield()
          case false?: continue
          case nil: return changes.finish()
          }
        }
        changes.finish()
      }
      changes.onTermination = { _ in
        task.cancel()
        switching.cancel()
      }
    }
  }

  /// Whether a change is among what came; nil when nothing will come any more.
  private static func takeAll(_ socket: ManagementSocket) -> Bool? {
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
