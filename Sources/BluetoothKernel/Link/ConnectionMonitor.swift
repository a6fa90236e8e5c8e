internal import BluetoothCodec
internal import BluetoothRadio
internal import EventLoop

/// A monitor of an adapter's links, by the events of a raw HCI socket; needs no privilege.
///
/// LE links are only those that exist at the start, since without a privilege a socket cannot
/// separate the events of new LE links from advertisements.
enum ConnectionMonitor {
  private static let operation = "watch links"
  private static let filter = HCIFilter(
    types: [.event],
    events: [
      HCIEventCode.connectionComplete, HCIEventCode.disconnectionComplete,
      HCIEventCode.synchronousConnectionComplete,
    ])

  /// Yields the current links, and all links again at each change, until the adapter is removed.
  static func stream(on adapter: AdapterInfo, loop: PollLoop) -> AsyncStream<[RadioLink]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { changes in
      // The socket is opened before the list is read, so that no event is missed in between.
      guard
        let socket = try? HCISocket(adapter: adapter, filter: filter, during: operation),
        let links = try? connections(of: adapter.name)
      else { return changes.finish() }
      let task = Task {
        await LoopReader(on: loop).run { _ in
          var table = ConnectionTable(links)
          changes.yield(table.links)
          while (try? await loop.readable(socket.descriptor.number)) != nil {
            switch drain(socket, into: &table) {
            case true?: changes.yield(table.links)
            case false?: continue
            case nil: return changes.finish()
            }
          }
          changes.finish()
        }
      }
      changes.onTermination = { _ in task.cancel() }
    }
  }

  private static func drain(_ socket: HCISocket, into table: inout ConnectionTable) -> Bool? {
    var hasChanged = false
    while true {
      switch socket.receive() {
      case .packet(.event(let event)): if table.receive(event) { hasChanged = true }
      case .packet, .malformed: continue
      case .nothing: return hasChanged
      case .ended: return nil
      }
    }
  }
}
