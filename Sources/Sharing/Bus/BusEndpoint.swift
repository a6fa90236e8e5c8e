internal import DBus
internal import EventLoop

/// A connection to the session bus that serves objects under a well-known name.
///
/// Without a session bus nothing runs; the objects return with a restarted bus.
@MainActor
final class BusEndpoint {
  private let address: DBusAddress
  private let name: String
  private let root: String
  private let clock: any Clock<Duration>
  private var serving: Task<Void, Never>?

  init(
    at address: DBusAddress, named name: String, below root: String, clock: any Clock<Duration>
  ) {
    self.address = address
    self.name = name
    self.root = root
    self.clock = clock
  }

  /// Serves until ``stop()``: `publish` runs for each connection, until it or this ends.
  func start(
    answering reply: @escaping @Sendable (DBusObjectCall) async -> DBusReply,
    publishing publish: @escaping @MainActor (DBusConnection) async -> Void
  ) {
    guard serving == nil, let first = connect() else { return }
    serving = Task {
      var next = first
      while !Task.isCancelled {
        let (closings, closing) = AsyncStream.makeStream(of: Void.self)
        await next.whenClosed { closing.finish() }
        await next.serve(below: root, reply)
        let connection = next
        let publishing = Task { await publish(connection) }
        for await _ in closings {}
        publishing.cancel()
        await next.close()
        let back = await DBusConnection.whenBack(at: address, loop: .shared, clock: clock)
        guard let back else { return }
        next = back
      }
      await next.close()
    }
  }

  func stop() async {
    serving?.cancel()
    await serving?.value
    serving = nil
  }

  /// Requests the name, and waits in the bus's queue while another process has it.
  ///
  /// - Parameters:
  ///   - isYielding: whether another process may take the name over.
  ///   - isTaking: whether to take it over from one that lets it.
  func requestName(on connection: DBusConnection, isYielding: Bool, isTaking: Bool) async {
    // DBUS_NAME_FLAG_ALLOW_REPLACEMENT and DBUS_NAME_FLAG_REPLACE_EXISTING.
    let flags: UInt32 = (isYielding ? 1 : 0) | (isTaking ? 2 : 0)
    await connection.send(
      DBusCall(
        "RequestName", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
        to: "org.freedesktop.DBus", [.string(name), .uint32(flags)]))
  }

  private func connect() -> DBusConnection? {
    try? DBusConnection(address: address, loop: .shared, clock: clock)
  }
}
