internal import AudioRoute
internal import BluetoothRadio
internal import Companion
internal import CompanionRuntime
internal import DBus
internal import EventLoop
internal import HeadphoneProtocols
internal import JSON
internal import Locking

/// The owner's headphones as objects on the session bus (docs/dbus.md).
///
/// Their properties follow the store; commands run as those of other processes do. Without a
/// session bus nothing runs; the service returns with a restarted bus.
@MainActor
final class BusService {
  /// The maximum number of commands at a time; others are refused.
  static let maximumCommands = OwnerListener.maximumClients

  private let bus: SessionBus
  private let store: Store
  private let effects: LiveEffectHandler
  private let handler: any RequestHandler
  private var serving: Task<Void, Never>?
  private var commands: [ObjectIdentifier: Task<ExitStatus, Never>] = [:]

  init(
    _ bus: SessionBus, store: Store, effects: LiveEffectHandler, handler: any RequestHandler
  ) {
    self.bus = bus
    self.store = store
    self.effects = effects
    self.handler = handler
  }

  func start() {
    guard serving == nil, let first = connect() else { return }
    serving = Task {
      var next = first
      while !Task.isCancelled {
        await serve(on: next)
        await next.close()
        let back = await DBusConnection.whenBack(
          at: bus.address, loop: .shared, clock: effects.clock)
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

  func finishCommands() async {
    while let (id, command) = commands.first {
      _ = await command.value
      commands[id] = nil
    }
  }

  private func connect() -> DBusConnection? {
    try? DBusConnection(address: bus.address, loop: .shared, clock: effects.clock)
  }

  /// Serves until the bus or this task ends.
  private func serve(on connection: DBusConnection) async {
    let (closings, closing) = AsyncStream.makeStream(of: Void.self)
    await connection.whenClosed { closing.finish() }
    await connection.serve(below: BusInterfaces.root) { [weak self] call in
      await self?.reply(to: call) ?? .unknownMethod
    }
    let publishing = Task { await publish(on: connection) }
    for await _ in closings {}
    publishing.cancel()
  }

  // MARK: Properties

  private struct Published {
    var report: StatusReport
    var interfaces: [DBusInterface]
  }

  /// Publishes the headphones now and after each change, at most once a frame.
  private func publish(on connection: DBusConnection) async {
    var known: [HeadphoneID: Published] = [:]
    var manager: ManagerReport?
    var pace = FloodPace()
    let timeline = ElapsedClock(effects.clock)
    for await state in store.follow() {
      let new = ManagerReport(state, bus)
      let present = Set(state.headphones.map(\.id))
      var isChanged = new != manager || known.keys.contains { !present.contains($0) }
      for headphone in state.headphones {
        let report = StatusReport(headphone, in: state)
        guard report != known[headphone.id]?.report else { continue }
        isChanged = true
        known[headphone.id] = Published(
          report: report, interfaces: BusInterfaces.interfaces(of: headphone, report))
      }
      guard isChanged else { continue }
      known = known.filter { present.contains($0.key) }
      var objects = [BusInterfaces.root: [ManagerReport.interface(new)]]
      for (id, published) in known { objects[BusInterfaces.path(of: id)] = published.interfaces }
      await connection.publish(objects)
      // After the objects, so that a client that sees the name finds them.
      if manager == nil { await requestName(on: connection) }
      manager = new
      if let delay = pace.delay(at: timeline.elapsed) {
        try? await effects.clock.sleep(for: delay)
      }
    }
  }

  /// Requests the service's name, and waits in the bus's queue while another process has it.
  private func requestName(on connection: DBusConnection) async {
    // DBUS_NAME_FLAG_ALLOW_REPLACEMENT and DBUS_NAME_FLAG_REPLACE_EXISTING.
    let flags: UInt32 = bus.isVirtual ? 1 : 2
    await connection.send(
      DBusCall(
        "RequestName", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
        to: "org.freedesktop.DBus", [.string(BusInterfaces.service), .uint32(flags)]))
  }

  // MARK: Calls

  private func reply(to call: DBusObjectCall) async -> DBusReply {
    let headphone = store.state.headphones.first { BusInterfaces.path(of: $0.id) == call.path }
    if case .method(BusInterfaces.run.name, let arguments) = call.member,
      call.interface != BusInterfaces.settings
    {
      let words = arguments.first?.strings ?? []
      guard let outcome = await outcome(of: line(words, for: headphone)) else {
        return Self.refusal
      }
      return .values([
        .int32(outcome.status.rawValue), .string(outcome.output), .string(outcome.messages),
      ])
    }
    guard let headphone, let words = words(of: call, for: headphone) else {
      return .invalid("the headphone is gone, or takes no such value")
    }
    guard let outcome = await outcome(of: line(words, for: headphone)) else { return Self.refusal }
    return outcome.status == .ok
      ? .values([])
      : .error(name: outcome.status.busName, message: outcome.messages)
  }

  /// Returns the command of a call, or nil if the headphone has no such member or value.
  private func words(of call: DBusObjectCall, for headphone: HeadphoneState) -> [String]? {
    let isSetting = call.interface == BusInterfaces.settings
    switch call.member {
    case .method(let name, _) where isSetting:
      return setting(named: name, of: headphone).map { ["setting", $0, "do"] }
    case .method(let name, let arguments):
      guard let command = BusInterfaces.commands.first(where: { $0.name == name }) else {
        return nil
      }
      let texts = arguments.compactMap(\.string)
      let choices = command.argument?.choices ?? []
      return texts.allSatisfy(choices.contains) ? command.words + texts : nil
    case .property(let name, let value):
      guard let text = value.word else { return nil }
      return isSetting
        ? setting(named: name, of: headphone).map { ["setting", $0, "--", text] }
        : BusInterfaces.setter(of: name, in: call.interface)?(text)
    }
  }

  private func setting(named name: String, of headphone: HeadphoneState) -> String? {
    headphone.capabilities?.declarations.map(\.id.rawValue).first { $0.busName == name }
  }

  private func line(_ words: [String], for headphone: HeadphoneState?) -> [String] {
    guard let headphone else { return words }
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return words[..<end] + ["--device", headphone.id.rawValue] + words[end...]
  }

  private struct Outcome {
    var status: ExitStatus
    var output: String
    var messages: String
  }

  /// Runs a command line without a terminal, or returns nil if too many commands run.
  private func outcome(of line: [String]) async -> Outcome? {
    guard commands.count < Self.maximumCommands else { return nil }
    let request = Request(arguments: line)
    let received = Mutex<[OwnerMessage]>([])
    let client = ClientRequest(request, store: store, effects: effects) { message in
      received.withLock { $0.append(message) }
      return true
    }
    let work = Task {
      let command = await handler.prepare(request)
      guard !command.traits.isEndless else {
        client.message("this command does not end\nfollow the signals of the objects")
        return ExitStatus.usage
      }
      return await command.run(client) ?? .failed
    }
    commands[ObjectIdentifier(client)] = work
    let status = await work.value
    commands[ObjectIdentifier(client)] = nil
    await client.deliver()
    let all = received.withLock { $0 }
    return Outcome(
      status: status,
      output: all.compactMap { if case .output(let text) = $0 { text } else { nil } }
        .joined(separator: "\n"),
      messages: all.compactMap { if case .message(let text) = $0 { text } else { nil } }
        .joined(separator: "\n"))
  }

  private static let refusal = DBusReply.error(
    name: "org.freedesktop.DBus.Error.LimitsExceeded",
    message: "\(maximumCommands) other commands are running")
}

extension ManagerReport {
  @MainActor
  fileprivate init(_ state: State, _ bus: SessionBus) {
    self.init(
      version: bus.version, headphone: state.headphoneOfCommands?.id.rawValue,
      output: state.output?.description, isVirtual: bus.isVirtual)
  }
}

extension ExitStatus {
  var busName: String {
    let name =
      switch self {
      case .ok, .failed: "Failed"
      case .usage: "InvalidArgs"
      case .noAdapter: "NoAdapter"
      case .notFound: "NotFound"
      case .linkLost: "LinkLost"
      case .refused: "Refused"
      }
    return self == .usage
      ? "org.freedesktop.DBus.Error.\(name)" : "\(BusInterfaces.service).Error.\(name)"
  }
}
