internal import CSystemd
package import EventLoop
internal import Glibc

/// A connection to a message bus, on the event loop, over libsystemd.
///
/// Replies and signals are delivered in the order in which the bus sent them. The loop keeps an
/// open connection alive, so it must be closed explicitly.
package actor DBusConnection {
  /// A consumer of a call's result, called on the loop, in order with signals.
  package typealias Completion = @Sendable (Result<[DBusValue], DBusError>) -> Void
  package typealias Handler = @Sendable (DBusRequest) async -> DBusReply
  package typealias ObjectHandler = @Sendable (DBusObjectCall) async -> DBusReply

  private static let bus = "org.freedesktop.DBus"
  private static let busPath = "/org/freedesktop/DBus"
  /// The default timeout for a reply, the same as libdbus's.
  package static let replyTimeout: Duration = .seconds(25)

  private let handle: Handle
  private let loop: PollLoop
  private let turn: LoopTurn
  private let clock: any Clock<Duration>
  private var pump: Task<Void, Never>?
  private var calls: [UInt64: PendingCall] = [:]
  private var lastCall: UInt64 = 0
  private var watches: [String: NameWatch] = [:]
  private var namespaces: [String: @Sendable (String) -> Void] = [:]
  private var exports: [String: Handler] = [:]
  /// The objects of ``serve(below:_:)``, and what answers calls of their members.
  private var served: (objects: DBusServedObjects, handler: ObjectHandler)?
  private var requests: [UInt64: OpaquePointer] = [:]
  private var lastRequest: UInt64 = 0
  /// Whether the connection has ended, after which every call throws ``DBusError/noBus``.
  package private(set) var isClosed = false
  private var ends: [@Sendable () -> Void] = []

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Starts to connect without waiting for the bus; a later failure makes calls fail.
  ///
  /// - Throws: ``DBusError/noBus`` if nothing listens at the address,
  ///   ``DBusError/system(errno:during:)`` for any other error.
  package init(
    address: DBusAddress, loop: PollLoop = .shared, clock: any Clock<Duration> = LoopClock(.shared)
  ) throws(DBusError) {
    // Without a socket libsystemd need not be loaded.
    if let path = address.socketPath, access(path, F_OK) != 0 { throw .noBus }
    var pointer: OpaquePointer?
    var result = sd_bus_new(&pointer)
    if result >= 0 { result = sd_bus_set_address(pointer, address.text) }
    if result >= 0 { result = sd_bus_set_bus_client(pointer, 1) }
    if result >= 0 { result = sd_bus_start(pointer) }
    guard result >= 0, let pointer else {
      sd_bus_close_unref(pointer)
      throw DBusError(result, during: "connect to the bus")
    }
    handle = Handle(pointer)
    self.loop = loop
    turn = LoopTurn(of: loop)
    self.clock = clock
    // The slot lives as long as the bus, which does not outlive this actor.
    sd_bus_add_filter(pointer, nil, filterMessage, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Closes the connection: calls fail with ``DBusError/noBus``, and watched names lose their
  /// owner.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    loop.endWaits(for: sd_bus_get_fd(handle.bus))
    pump?.cancel()
    for request in requests.values { sd_bus_message_unref(request) }
    requests = [:]
    sd_bus_close(handle.bus)
    for id in calls.keys { finish(id, .failure(.noBus)) }
    let watches = watches.values
    self.watches = [:]
    namespaces = [:]
    exports = [:]
    served = nil
    for watch in watches { watch.sink(.owner(nil)) }
    for end in ends { end() }
    ends = []
  }

  /// Calls `body` on the loop when the connection ends, or now if it has ended.
  package func whenClosed(_ body: @escaping @Sendable () -> Void) {
    if isClosed { body() } else { ends.append(body) }
  }

  /// Connects to a bus that has ended, once it is back.
  ///
  /// Returns nil if the task is cancelled, or if the bus's return cannot be noticed.
  package static func whenBack(
    at address: DBusAddress, loop: PollLoop, clock: any Clock<Duration>
  ) async -> DBusConnection? {
    guard let path = address.socketPath else { return nil }
    for await _ in loop.changes(ofFile: path) {
      // The socket exists before the bus listens on it, and on a busy machine long before.
      for seconds in [1, 2, 4, 8] {
        try? await clock.sleep(for: .seconds(seconds))
        if Task.isCancelled { return nil }
        if let bus = try? DBusConnection(address: address, loop: loop, clock: clock) { return bus }
      }
    }
    return nil
  }

  /// Calls a method and returns the body of the reply.
  ///
  /// - Throws: ``DBusError/refused(name:message:)`` for an error reply; ``DBusError/timedOut``
  ///   after the limit or if the task is cancelled, though the call may still have its effect;
  ///   ``DBusError/malformed(_:)`` for a reply that exceeds the limits of ``DBusValue`` or comes
  ///   from another connection; ``DBusError/noBus`` if the connection ends.
  @discardableResult
  package func call(
    _ call: DBusCall, within limit: Duration = DBusConnection.replyTimeout
  ) async throws(DBusError) -> [DBusValue] {
    lastCall += 1
    let id = lastCall
    let timer = Task { [clock] in
      try? await clock.sleep(for: limit)
      if !Task.isCancelled { finish(id, .failure(.timedOut)) }
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        send(call, as: id) { continuation.resume(returning: $0) }
        if Task.isCancelled { finish(id, .failure(.timedOut)) }
      }
    } onCancel: {
      Task { await self.finish(id, .failure(.timedOut)) }
    }.get()
  }

  /// Calls a method; `completion` receives the reply in order with signals, without a timeout.
  package func send(_ call: DBusCall, completion: @escaping Completion = { _ in }) {
    lastCall += 1
    send(call, as: lastCall, completion: completion)
  }

  private func send(_ call: DBusCall, as id: UInt64, completion: @escaping Completion) {
    guard !isClosed else { return completion(.failure(.noBus)) }
    let pending = PendingCall(id, of: self, to: call.destination, completion)
    calls[id] = pending
    do throws(DBusError) {
      var pointer: OpaquePointer?
      let made = sd_bus_message_new_method_call(
        handle.bus, &pointer, call.destination, call.path, call.interface, call.member)
      guard made >= 0, let pointer else {
        // libsystemd has validated the names and the path.
        throw .malformed("\(call.interface).\(call.member) at \(call.path)")
      }
      let message = DBusMessage(adopting: pointer)
      sd_bus_message_set_auto_start(pointer, call.startsService ? 1 : 0)
      for argument in call.arguments { try message.append(argument) }
      let sent = sd_bus_call_async(
        handle.bus, &pending.slot, pointer, receiveReply,
        Unmanaged.passUnretained(pending).toOpaque(), UInt64.max)
      guard sent >= 0 else { throw DBusError(sent, during: "call \(call.member)") }
    } catch {
      return finish(id, .failure(error))
    }
    wake()
  }

  private func finish(_ id: UInt64, _ result: Result<[DBusValue], DBusError>) {
    guard let call = calls.removeValue(forKey: id) else { return }
    sd_bus_slot_unref(call.slot)
    call.completion(result)
  }

  /// Decodes a reply, and verifies that it comes from the connection that was called.
  fileprivate func receive(reply pointer: OpaquePointer, to call: PendingCall) {
    let message = DBusMessage(retaining: pointer)
    let result: Result<[DBusValue], DBusError>
    do throws(DBusError) {
      if let error = message.error { throw error }
      // A unique name identifies one connection; without one, the bus replies with an error.
      guard !call.destination.hasPrefix(":") || message.sender == call.destination else {
        throw .malformed("a reply of \(message.sender) for \(call.destination)")
      }
      result = .success(try message.arguments())
    } catch {
      result = .failure(error)
    }
    finish(call.id, result)
  }

  // MARK: Names and signals

  /// Watches a well-known name such as "org.bluez": its owner and the owner's signals.
  ///
  /// Signals from other connections are dropped, whatever interface they claim, because a message
  /// that is addressed to this connection passes all match rules of the bus. A second watch of a
  /// name replaces the first.
  ///
  /// - Parameters:
  ///   - hearsSignals: if false, only a change of owner wakes this process.
  ///   - sink: called on the loop, first with the current owner.
  package func watch(
    _ name: String, hearsSignals: Bool = true, sink: @escaping @Sendable (DBusNameEvent) -> Void
  ) {
    guard !isClosed else { return sink(.owner(nil)) }
    watches[name] = NameWatch(hearsSignals: hearsSignals, sink: sink)
    for rule in Self.rules(of: name, signals: hearsSignals) { match("AddMatch", rule) }
    send(
      DBusCall(
        "GetNameOwner", of: Self.bus, at: Self.busPath, to: Self.bus, [.string(name)])
    ) { [weak self] result in
      self?.assumeIsolated { me in
        let owner = (try? result.get())?.first?.string
        // A change that arrived meanwhile takes precedence.
        guard me.watches[name]?.isKnown == false else { return }
        me.setOwner(of: name, to: owner)
      }
    }
  }

  package func unwatch(_ name: String) {
    guard let watch = watches.removeValue(forKey: name) else { return }
    for rule in Self.rules(of: name, signals: watch.hearsSignals) { match("RemoveMatch", rule) }
  }

  /// Watches names in a namespace; `sink` gets each that has an owner, then each that gets one.
  package func watchNames(in namespace: String, sink: @escaping @Sendable (String) -> Void) {
    guard !isClosed else { return }
    namespaces[namespace + "."] = sink
    match("AddMatch", Self.ownerChange + ",arg0namespace='\(namespace)'")
    send(DBusCall("ListNames", of: Self.bus, at: Self.busPath, to: Self.bus)) { result in
      for name in (try? result.get())?.first?.strings ?? []
      where name.hasPrefix(namespace + ".") { sink(name) }
    }
  }

  private static let ownerChange =
    "type='signal',sender='\(bus)',interface='\(bus)',member='NameOwnerChanged'"

  private static func rules(of name: String, signals: Bool) -> [String] {
    [ownerChange + ",arg0='\(name)'"] + (signals ? ["type='signal',sender='\(name)'"] : [])
  }

  private func match(_ member: String, _ rule: String) {
    send(DBusCall(member, of: Self.bus, at: Self.busPath, to: Self.bus, [.string(rule)]))
  }

  private func setOwner(of name: String, to owner: String?) {
    watches[name]?.owner = owner
    watches[name]?.isKnown = true
    watches[name]?.sink(.owner(owner))
  }

  /// Delivers a signal to the watches whose owner sent it.
  private func receive(signal message: borrowing DBusMessage) {
    let sender = message.sender
    let member = message.field { sd_bus_message_get_member($0) }
    if sender == Self.bus, member == "NameOwnerChanged" {
      guard let texts = (try? message.arguments())?.compactMap(\.string), texts.count == 3 else {
        return
      }
      if !texts[2].isEmpty {
        for (prefix, sink) in namespaces where texts[0].hasPrefix(prefix) { sink(texts[0]) }
      }
      guard watches[texts[0]] != nil else { return }
      return setOwner(of: texts[0], to: texts[2].isEmpty ? nil : texts[2])
    }
    let watching = watches.values.filter { $0.owner == sender }
    // Drop a malformed signal; the next one may be well-formed.
    guard !watching.isEmpty, let arguments = try? message.arguments() else { return }
    let signal = DBusSignal(
      member, of: message.field { sd_bus_message_get_interface($0) },
      at: message.field { sd_bus_message_get_path($0) }, arguments)
    for watch in watching { watch.sink(.signal(signal)) }
  }

  // MARK: Exported objects

  /// Exports an object, or removes it if `handler` is nil; each call runs in its own task.
  package func export(at path: String, _ handler: Handler?) { exports[path] = handler }

  /// Serves the objects of ``publish(_:)``, below a path that has their ObjectManager.
  ///
  /// - Parameter handler: answers calls of declared methods, and sets writable properties. Calls
  ///   run concurrently. The standard interfaces need no handler.
  package func serve(below root: String, _ handler: @escaping ObjectHandler) {
    served = (DBusServedObjects(root: root), handler)
  }

  /// Replaces the served objects, and emits the signals of what has changed.
  ///
  /// A reply never has older values than a signal that a client has received before.
  ///
  /// - Parameter objects: the interfaces by path, each path the root's or one below it.
  package func publish(_ objects: [String: [DBusInterface]]) {
    for signal in served?.objects.replace(with: objects) ?? [] { emit(signal) }
  }

  /// Starts to handle a call, or returns false without an object or with malformed arguments.
  private func receive(request message: borrowing DBusMessage) -> Bool {
    let path = message.field { sd_bus_message_get_path($0) }
    let isServed =
      served?.objects.has(path) == true
      // libsystemd answers for the process.
      && message.field({ sd_bus_message_get_interface($0) }) != DBusStandard.peer
    guard exports[path] != nil || isServed else { return false }
    let request: DBusRequest
    do throws(DBusError) {
      request = DBusRequest(
        message.field { sd_bus_message_get_member($0) },
        of: message.field { sd_bus_message_get_interface($0) }, from: message.sender,
        try message.arguments())
    } catch {
      return false
    }
    lastRequest += 1
    let id = lastRequest
    requests[id] = sd_bus_message_ref(message.pointer)
    if let handler = exports[path] {
      Task { reply(to: id, with: await handler(request)) }
    } else if let (objects, handler) = served {
      switch objects.answer(to: request, at: path) {
      // At once, before any later signal.
      case .reply(let reply): self.reply(to: id, with: reply)
      case .call(let call): Task { reply(to: id, with: await handler(call)) }
      }
    }
    return true
  }

  private func reply(to id: UInt64, with reply: DBusReply) {
    guard let request = requests.removeValue(forKey: id) else { return }
    defer { sd_bus_message_unref(request) }
    var pointer: OpaquePointer?
    switch reply {
    case .values(let values):
      guard sd_bus_message_new_method_return(request, &pointer) >= 0, let pointer else { return }
      let message = DBusMessage(adopting: pointer)
      for value in values {
        guard (try? message.append(value)) != nil else { return }
      }
      sd_bus_send(handle.bus, pointer, nil)
    case .error(let name, let message):
      var error = sd_bus_error()
      sd_bus_error_set(&error, name, message)
      sd_bus_reply_method_error(request, &error)
      sd_bus_error_free(&error)
    }
    wake()
  }

  /// Sends a signal of an exported object to one connection or, if `destination` is nil, to all.
  package func emit(_ signal: DBusSignal, to destination: String? = nil) {
    var pointer: OpaquePointer?
    sd_bus_message_new_signal(
      handle.bus, &pointer, signal.path, signal.interface, signal.member)
    guard !isClosed, let pointer else { return }
    let message = DBusMessage(adopting: pointer)
    for argument in signal.arguments {
      guard (try? message.append(argument)) != nil else { return }
    }
    if let destination { sd_bus_message_set_destination(pointer, destination) }
    sd_bus_send(handle.bus, pointer, nil)
    wake()
  }

  /// Handles a message before libsystemd does, and returns 1 if libsystemd should ignore it.
  fileprivate func filter(_ pointer: OpaquePointer) -> Int32 {
    let message = DBusMessage(retaining: pointer)
    var type: UInt8 = 0
    sd_bus_message_get_type(pointer, &type)
    if sd_bus_message_is_signal(pointer, nil, nil) > 0 { receive(signal: message) }
    if sd_bus_message_is_method_call(pointer, nil, nil) > 0 {
      return receive(request: message) ? 1 : 0
    }
    return 0
  }

  // MARK: The event loop

  private func wake() {
    guard !isClosed else { return }
    let mustWrite = sd_bus_get_events(handle.bus) & POLLOUT != 0
    guard let previous = pump else {
      pump = Task { await run() }
      return
    }
    // A pump that waits to read does not notice that there is something to write.
    guard mustWrite else { return }
    previous.cancel()
    pump = Task {
      await previous.value
      await run()
    }
  }

  /// Processes messages until the connection ends or the task is cancelled.
  ///
  /// After each message other work of the loop has its turn: a peer that floods holds up no link.
  private func run() async {
    while !isClosed, !Task.isCancelled {
      let result = sd_bus_process(handle.bus, nil)
      guard result >= 0 else { return close() }
      if result > 0 {
        await turn.pass()
        continue
      }
      let descriptor = sd_bus_get_fd(handle.bus)
      let mustWrite = sd_bus_get_events(handle.bus) & POLLOUT != 0
      do {
        if mustWrite {
          try await loop.writable(descriptor)
        } else {
          try await loop.readable(descriptor)
        }
      } catch .cancelled {
        return
      } catch {
        return close()
      }
    }
  }
}

private final class Handle {
  let bus: OpaquePointer

  init(_ bus: OpaquePointer) { self.bus = bus }

  deinit { sd_bus_close_unref(bus) }
}

private struct NameWatch {
  var owner: String?
  var isKnown = false
  var hearsSignals: Bool
  var sink: @Sendable (DBusNameEvent) -> Void
}

/// A call that awaits its reply; the connection keeps it longer than libsystemd keeps its slot.
private final class PendingCall {
  let id: UInt64
  unowned let connection: DBusConnection
  let destination: String
  let completion: DBusConnection.Completion
  var slot: OpaquePointer?

  init(
    _ id: UInt64, of connection: DBusConnection, to destination: String,
    _ completion: @escaping DBusConnection.Completion
  ) {
    self.id = id
    self.connection = connection
    self.destination = destination
    self.completion = completion
  }
}

// These unsafe pointers are safe: libsystemd calls both functions from `sd_bus_process`, which only
// the actor calls, so nothing crosses its isolation.

private func receiveReply(
  _ message: OpaquePointer?, _ call: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let call else { return 0 }
  nonisolated(unsafe) let pointer = message
  nonisolated(unsafe) let pending = Unmanaged<PendingCall>.fromOpaque(call).takeUnretainedValue()
  pending.connection.assumeIsolated { $0.receive(reply: pointer, to: pending) }
  return 1
}

private func filterMessage(
  _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
  guard let message, let context else { return 0 }
  nonisolated(unsafe) let pointer = message
  let connection = Unmanaged<DBusConnection>.fromOpaque(context).takeUnretainedValue()
  return connection.assumeIsolated { $0.filter(pointer) }
}
