internal import Bluetooth
internal import BluetoothCodec
internal import EventLoop

/// A stream of an adapter's links, by the events of a raw HCI socket; needs no privilege.
///
/// LE links are those that were there at the start: the events of new ones come with every
/// advertisement, and the process that connects over LE knows of it.
enum ConnectionMonitor {
  private static let operation = "watch links"
  private static let filter = HCIFilter(
    types: [.event],
    events: [
      HCIFilter.connectionComplete, HCIFilter.disconnectionComplete,
      HCIFilter.synchronousConnectionComplete,
    ])

  /// Finished when the adapter goes.
  static func stream(on adapter: AdapterInfo, loop: PollLoop) -> AsyncStream<[RadioLink]> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { changes in
      // First the socket, then the list: nothing happens unseen between the two.
      guard
        let socket = try? HCISocket(adapter: adapter, filter: filter, during: operation),
        let links = try? connections(of: adapter.name)
      else { return changes.finish() }
      let task = Task {
        var table = ConnectionTable(links)
        changes.yield(table.links)
        while (try? await loop.readable(socket.descriptor.number)) != nil {
          switch takeAll(socket, into: &table) {
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

  /// Whether a link came or went; nil when nothing will come any more.
  private static func takeAll(_ socket: HCISocket, into table: inout ConnectionTable) -> Bool? {
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
