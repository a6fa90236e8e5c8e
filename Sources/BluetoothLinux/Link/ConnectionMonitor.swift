internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop

/// A stream of an adapter's links, from the events of a raw HCI socket; needs no privilege.
///
/// LE links are those that existed at the start: without a privilege events of new ones cannot be
/// separated from those of advertisements, and the process that connects over LE knows its links
/// anyway.
enum ConnectionMonitor {
  private static let operation = "watch links"
  /// The events of BR/EDR links.
  private static let filter = HCIFilter(
    types: [.event],
    events: [
      HCIEventCode.connectionComplete, HCIEventCode.disconnectionComplete,
      HCIEventCode.synchronousConnectionComplete,
    ])

  /// Yields the current links, and then all of them at each change; ends when the adapter is
  /// removed.
  static func stream(on adapter: AdapterInfo, loop: PollLoop) -> AsyncStream<[RadioLink]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { changes in
      // The socket first, then the list, so that no event is missed between the two.
      guard
        let socket = try? HCISocket(adapter: adapter, filter: filter, during: operation),
        let links = try? connections(of: adapter.name)
      else { return changes.finish() }
      let task = Task {
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
      changes.onTermination = { _ in task.cancel() }
    }
  }

  /// Whether one of the pending events changed the links; `nil` after the last one.
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
