internal import CSystemd
public import EventLoop
internal import Glibc

/// A connection to a message bus, on the event loop; libsystemd starts no thread.
///
/// Replies and signals are delivered on the loop in the order in which the bus sent them. While
/// nothing is awaited nothing wakes. Whoever opens a connection closes it: until then the loop keeps
/// it alive.
public actor DBusConnection {
  /// Takes the result of a call, on the loop, in order with signals.
  public typealias Completion = @Sendable (Result<[DBusValue], DBusError>) -> Void
  /// Answers a call to an exported object.
  public typealias Handler = @Sendable (DBusRequest) async -> DBusReply

  private static let bus = "org.freedesktop.DBus"
  private static let busPath = "/org/freedesktop/DBus"
  /// The time for a reply, unless the caller sets another one; that of libdbus.
  public static let replyTimeout: Duration = .seconds(25)

  private let handle: Handle
  private let loop: PollLoop
  private let clock: any Clock<Duration>
  private var pump: Task<Void, Never>?
  private var calls: [UInt64: PendingCall] = [:]
  private var lastCall: UInt64 = 0
  private var watches: [String: NameWatch] = [:]
  private var exports: [String: Handler] = [:]
  /// Calls to exported objects that are being answered.
  private var requests: [UInt64: OpaquePointer] = [:]
  private var lastRequest: UInt64 = 0
  /// The connection has ended; every call throws ``DBusError/noBus`` from then on.
  public private(set) var isClosed = false

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Connects without waiting for the bus; what fails later fails the calls.
  ///
  /// - Throws: ``DBusError/noBus`` where nothing listens.
  public init(
    address: DBusAddress, loop: PollLoop = .shared, clock: any Clock<Duration> = ContinuousClock()
  ) throws(DBusError) {
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
    self.clock = clock
    // The slot lives as long as the bus, which does not outlive this actor.
    sd_bus_add_filter(pointer, nil, filterMessage, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends the connection; waiting callers get ``DBusError/noBus``.
  public func close() {
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
    exports = [:]
    for watch in watches { watch.sink(.owner(nil)) }
  }

  // MARK: Calling

  /// Calls a method and waits for its reply.
  ///
  /// - Parameter limit: the time for the reply.
  /// - Throws: ``DBusError/refused(name:message:)`` with an error reply; ``DBusError/timedOut`` also
  ///   when the task is cancelled: the call may have its effect all the same.
  @discardableResult
  public func call(
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

  /// Calls a method; `completion` gets the reply in its order among the signals.
  public func send(_ call: DBusCall, completion: @escaping Completion = { _ in }) {
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
        // Libsystemd checks names and paths.
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

  fileprivate func receive(reply pointer: OpaquePointer, to call: PendingCall) {
    let message = DBusMessage(retaining: pointer)
    let result: Result<[DBusValue], DBusError>
    do throws(DBusError) {
      if let error = message.error { throw error }
      // A unique name is one connection; the bus itself answers where there is none.
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

  /// Follows a well-known name: its owner, and the owner's signals.
  ///
  /// A signal of any other connection is dropped, whatever it claims to be: a message that is
  /// addressed to this connection passes every match rule of the bus.
  ///
  /// - Parameter sink: called on the loop, first with the owner as it is now.
  public func watch(_ name: String, sink: @escaping @Sendable (DBusNameEvent) -> Void) {
    guard !isClosed else { return sink(.owner(nil)) }
    watches[name] = NameWatch(sink: sink)
    addMatch(
      "type='signal',sender='\(Self.bus)',interface='\(Self.bus)',member='NameOwnerChanged',arg0='\(name)'"
    )
    addMatch("type='signal',sender='\(name)'")
    send(
      DBusCall(
        "GetNameOwner", of: Self.bus, at: Self.busPath, to: Self.bus, [.string(name)])
    ) { [weak self] result in
      self?.assumeIsolated { me in
        let owner = (try? result.get())?.first?.string
        // A later change of the owner counts more.
        guard me.watches[name]?.isKnown == false else { return }
        me.setOwner(of: name, to: owner)
      }
    }
  }

  private func addMatch(_ rule: String) {
    send(DBusCall("AddMatch", of: Self.bus, at: Self.busPath, to: Self.bus, [.string(rule)]))
  }

  private func setOwner(of name: String, to owner: String?) {
    watches[name]?.owner = owner
    watches[name]?.isKnown = true
    watches[name]?.sink(.owner(owner))
  }

  private func receive(signal message: borrowing DBusMessage) {
    let sender = message.sender
    let member = message.field { sd_bus_message_get_member($0) }
    if sender == Self.bus, member == "NameOwnerChanged" {
      guard let texts = (try? message.arguments())?.compactMap(\.string), texts.count == 3,
        watches[texts[0]] != nil
      else { return }
      return setOwner(of: texts[0], to: texts[2].isEmpty ? nil : texts[2])
    }
    let watching = watches.values.filter { $0.owner == sender }
    // What makes no sense is dropped: the next signal may make sense again.
    guard !watching.isEmpty, let arguments = try? message.arguments() else { return }
    let signal = DBusSignal(
      member, of: message.field { sd_bus_message_get_interface($0) },
      at: message.field { sd_bus_message_get_path($0) }, arguments)
    for watch in watching { watch.sink(.signal(signal)) }
  }

  // MARK: Exported objects

  /// Answers calls to an object of this process; nil: there is none at this path any more.
  public func export(at path: String, _ handler: Handler?) { exports[path] = handler }

  private func receive(request message: borrowing DBusMessage) -> Bool {
    guard let handler = exports[message.field { sd_bus_message_get_path($0) }] else {
      return false
    }
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
    Task { reply(to: id, with: await handler(request)) }
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

  /// Sends a signal; nil: to all listeners.
  ///
  /// For services in tests.
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

  /// Makes sure that what was sent gets out, and that what comes is read.
  private func wake() {
    guard !isClosed else { return }
    let mustWrite = sd_bus_get_events(handle.bus) & POLLOUT != 0
    guard let previous = pump else {
      pump = Task { await run() }
      return
    }
    // A pump that waits for something to read does not see that something is to be written.
    guard mustWrite else { return }
    previous.cancel()
    pump = Task {
      await previous.value
      await run()
    }
  }

  private func run() async {
    while !isClosed, !Task.isCancelled {
      let result = sd_bus_process(handle.bus, nil)
      guard result >= 0 else { return close() }
      if result > 0 { continue }
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

/// A bus of libsystemd, which its connection alone uses.
private final class Handle {
  let bus: OpaquePointer

  init(_ bus: OpaquePointer) { self.bus = bus }

  deinit { sd_bus_close_unref(bus) }
}

private struct NameWatch {
  var owner: String?
  /// Whether the bus has reported the owner.
  var isKnown = false
  var sink: @Sendable (DBusNameEvent) -> Void
}

/// A call whose reply is awaited; the connection keeps it longer than libsystemd its slot.
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

// Libsystemd calls both from within `sd_bus_process`, which only the actor calls.

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
