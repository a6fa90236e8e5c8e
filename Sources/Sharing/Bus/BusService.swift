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
/// Their properties follow the store; commands run as those of other processes do.
@MainActor
final class BusService {
  /// The maximum number of commands at a time; others are refused.
  static let maximumCommands = OwnerListener.maximumClients

  private let bus: SessionBus
  private let store: Store
  private let effects: LiveEffectHandler
  private let handler: any RequestHandler
  private let own: BusEndpoint
  private let widgets: BusEndpoint?
  private var commands: [ObjectIdentifier: Task<ExitStatus, Never>] = [:]

  init(
    _ bus: SessionBus, store: Store, effects: LiveEffectHandler, handler: any RequestHandler
  ) {
    self.bus = bus
    self.store = store
    self.effects = effects
    self.handler = handler
    own = BusEndpoint(
      at: bus.address, named: BusInterfaces.service, below: BusInterfaces.root,
      clock: effects.clock)
    widgets =
      bus.servesWidgets
      ? BusEndpoint(
        at: bus.address, named: BudsLink.service, below: BudsLink.root, clock: effects.clock)
      : nil
  }

  func start() {
    own.start { [weak self] call in
      await self?.reply(to: call) ?? .unknownMethod
    } publishing: { [weak self] in
      await self?.publish(on: $0)
    }
    widgets?.start { [weak self] call in
      await self?.reply(toWidget: call) ?? .unknownMethod
    } publishing: { [weak self] in
      await self?.publishDevices(on: $0)
    }
  }

  func stop() async {
    await own.stop()
    await widgets?.stop()
  }

  func finishCommands() async {
    while let (id, command) = commands.first {
      _ = await command.value
      commands[id] = nil
    }
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
      if manager == nil {
        await own.requestName(
          on: connection, isYielding: bus.isVirtual, isTaking: !bus.isVirtual)
      }
      manager = new
      if let delay = pace.delay(at: timeline.elapsed) {
        try? await effects.clock.sleep(for: delay)
      }
    }
  }

  /// Publishes the connected headphones for widgets now and after each change.
  private func publishDevices(on connection: DBusConnection) async {
    var known: [BudsLinkDevice]?
    var pace = FloodPace()
    let timeline = ElapsedClock(effects.clock)
    for await state in store.follow() {
      let new = BudsLinkDevice.all(in: state)
      guard new != known else { continue }
      var objects = [BudsLink.root: [BudsLink.manager]]
      for device in new { objects[device.path] = [device.interface] }
      await connection.publish(objects)
      let (before, after) = (Set((known ?? []).map(\.path)), Set(new.map(\.path)))
      for (member, paths) in [
        ("DeviceAdded", after.subtracting(before)), ("DeviceRemoved", before.subtracting(after)),
      ] {
        for path in paths.sorted() {
          await connection.emit(
            DBusSignal(member, of: BudsLink.manager.name, at: BudsLink.root, [.objectPath(path)]))
        }
      }
      // Not from BudsLink while it runs.
      if known == nil {
        await widgets?.requestName(on: connection, isYielding: true, isTaking: false)
      }
      known = new
      if let delay = pace.delay(at: timeline.elapsed) {
        try? await effects.clock.sleep(for: delay)
      }
    }
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
    return await reply(to: line(words, for: headphone))
  }

  private func reply(to line: [String]) async -> DBusReply {
    guard let outcome = await outcome(of: line) else { return Self.refusal }
    return outcome.status == .ok
      ? .values([])
      : .error(name: outcome.status.busName, message: outcome.messages)
  }

  private func reply(toWidget call: DBusObjectCall) async -> DBusReply {
    guard case .method(let name, let arguments) = call.member else { return .unknownMethod }
    switch name {
    case BudsLink.serviceVersion.name: return .values([.string(BudsLink.version)])
    case BudsLink.list.name:
      let paths = BudsLinkDevice.all(in: store.state).map { DBusValue.objectPath($0.path) }
      return .values([.array(of: "o", paths)])
    case BudsLink.action.name:
      let device = BudsLinkDevice.all(in: store.state).first { $0.path == call.path }
      guard let action = arguments.first?.string, let value = arguments.last?.integer,
        let words = device?.command(for: action, value)
      else { return .invalid("the headphone is gone, or has no such button") }
      return await reply(to: words)
    // Links last as the configuration says, whether or not a widget holds the service.
    default: return .values([])
    }
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
