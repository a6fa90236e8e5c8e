internal import AudioRoute
public import Bluetooth
public import Companion
internal import DBus
internal import Desktop
public import GATT
internal import HeadphoneDrivers
public import HeadphoneProtocols
internal import Persistence

/// Carries out the effects that `reduce` asks for, in the world of ``Dependencies``.
@MainActor
public final class LiveEffectHandler: EffectHandler {
  /// Takes what comes of an effect, on the main actor.
  public typealias Send = @MainActor (Action) -> Void

  /// What a program does by itself, from its start on.
  public struct Activities: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Scans as soon as the adapter is on.
    public static let scan = Activities(rawValue: 1)
    /// Follows the sound server.
    public static let observeAudio = Activities(rawValue: 2)
    /// Asks a person what pairings ask; else ``LiveEffectHandler/addAttendant(_:)`` says when one is there.
    public static let askAboutPairing = Activities(rawValue: 4)
    public static let all: Activities = [.scan, .observeAudio, .askAboutPairing]
  }

  /// What the terminal is asked for.
  public struct Screen {
    /// Draws everything anew.
    public var redraw: @MainActor () -> Void
    /// Draws in the next theme.
    public var nextTheme: @MainActor () -> Void
    /// Gives the terminal to the shell until this program is continued.
    public var suspend: @MainActor () -> Void
    /// Gives the terminal text for its clipboard.
    public var copy: @MainActor (String) -> Void

    /// A terminal without a clipboard needs no `copy`.
    public init(
      redraw: @escaping @MainActor () -> Void,
      nextTheme: @escaping @MainActor () -> Void = {}, suspend: @escaping @MainActor () -> Void,
      copy: @escaping @MainActor (String) -> Void = { _ in }
    ) {
      self.redraw = redraw
      self.nextTheme = nextTheme
      self.suspend = suspend
      self.copy = copy
    }
  }

  /// Where the effects happen.
  public let world: Dependencies
  /// Connects to the sound server when it is first needed.
  private(set) lazy var audio: any AudioRouteSource = world.makeAudio()
  private var isListeningToSound = false
  /// What the last look at the adapter failed of; nil: nothing.
  var adapterFailure: RadioError?
  let links: ConnectionManager
  let firmware: FirmwareUpdateManager
  private let inspections: Inspections
  /// What is under way and belongs to nothing else.
  let tasks = TaskRegistry()
  /// Nothing is sent to the store any more.
  private var isStopped = false
  let players: PausedPlayers
  /// The last order to the sound server: they are carried out one after another.
  var orders: Task<Void, Never>?
  let heldSink: CorkedSink
  /// The last notification: they are shown in the order in which they were told.
  private var notifying: Task<Void, Never>?
  private let screen: Screen?
  private var timers: Timers
  var scan: Task<Void, Never>?
  private var watches: [Task<Void, Never>] = []
  /// Of the adapter's links, while it is on.
  var linkWatch: Task<Void, Never>?
  /// Passes on what pairings ask, while somebody can answer.
  var questions: Task<Void, Never>?
  /// Screens on which a person can answer what pairings ask.
  var attendants = 0
  /// The last write of a file.
  var saving: Task<Void, Never>?

  /// - Parameter screen: nil: there is no terminal; what concerns one does nothing.
  public init(world: Dependencies, screen: Screen? = nil) {
    self.world = world
    self.screen = screen
    players = PausedPlayers(desktop: world.desktop)
    heldSink = CorkedSink(beside: world.known)
    links = ConnectionManager(world: world, tasks: tasks)
    firmware = FirmwareUpdateManager(world: world, tasks: tasks)
    inspections = Inspections(tasks: tasks)
    timers = Timers(clock: world.clock)
  }

  /// Returns at once; what comes of the effect goes to `send`, now or later.
  public func begin(_ effect: Effect, send: @escaping Send) {
    let send = untilStopped(send)
    switch effect {
    case .startScan: startScan(send)
    case .stopScan: stopScan(send)
    case .connect(let id): links.connect(id, send: send)
    case .listen(let id): links.listen(for: id, send: send)
    case .disconnect(let id): links.disconnect(id)
    case .perform(let id, let command, let token): links.perform(id, command, token, send: send)
    case .pair(let id, let audio): links.pair(id, audio: audio, send: send)
    case .answerPairing(let id, let answer): world.agent.answer(id, answer)
    case .unpair(let id): links.unpair(id, send: send)
    case .refresh(let id): links.refresh(id, send: send)
    case .measure(let id): links.measure(id, send: send)
    case .askFirmware(let id): firmware.ask(id, over: links.session(of: id), send: send)
    case .recallFirmware(let id): firmware.recall(id, send: send)
    case .examineFirmware(let id, let path): examineFirmware(id, at: path, send: send)
    case .installFirmware(let id, let offer, let target):
      installFirmware(offer, on: id, target, send: send)
    case .pauseFirmware(let id): firmware.pause(id)
    case .inspect(let id): inspections.survey(id, over: links.session(of: id), send: send)
    case .readAttribute(let id, let handle):
      inspections.read(id, handle, over: links.session(of: id), send: send)
    case .writeAttribute(let write):
      inspections.write(write, over: links.session(of: write.headphone), send: send)
    case .subscribeAttribute(let id, let handle, let isOn):
      inspections.subscribe(
        id, handle, isOn: isOn, over: links.session(of: id), send: send)
    case .readEQs: readEQs(send)
    case .changeEQs(let change): changeEQs(change, send)
    case .importEQ(let id, let path): importEQ(path, for: id, send)
    case .audio(let command): perform(command, send)
    case .pairSound(let id, let address): links.pairSound(id, address, send: send)
    case .connectSound(let id, let address): connectSound(id, address, send)
    case .setPower(let isOn): setPower(isOn, send)
    case .remember(let headphone): remember(headphone, send)
    case .keepSoundPin(let headphone): keepSoundPin(of: headphone, send)
    case .merge(let newer, let older): merge(newer, with: older, send)
    case .drop(let id): drop(id, send)
    case .discard(let id): links.forget(id)
    case .forget(let id): forget(id, send)
    case .pausePlayers: players.pause(send)
    case .resumePlayers: players.resume(send)
    case .forgetPlayers: players.forget()
    case .startTimer(let id, let length):
      timers.start(id, duration(of: length)) { send(.timerFired(id)) }
    case .cancelTimer(let id): timers.cancel(id)
    case .examine: tasks.run { [world] in send(.examined(await world.examine())) }
    case .notify(let summary, let body): notify(summary, body, send)
    case .trace(let isOn): links.tap.set(isOn: isOn)
    case .copy(let text): screen?.copy(text)
    case .redraw: screen?.redraw()
    case .nextTheme: screen?.nextTheme()
    case .suspend: screen?.suspend()
    }
  }

  /// The world's.
  public var clock: any Clock<Duration> { world.clock }

  /// Carries out a command on a headphone that is linked.
  ///
  /// `send` gets what there is to say beside its end.
  public func perform(
    _ command: HeadphoneCommand, on id: HeadphoneID, send: @escaping Send
  ) async -> CommandOutcome {
    await links.perform(id, command, send: send)
  }

  /// How good the link is; nil: there is none.
  public func measure(_ id: HeadphoneID) async -> LinkQuality? {
    await links.session(of: id)?.measure()
  }

  /// Reads an image file, and judges who has signed it.
  ///
  /// - Parameter keys: makers whom the requester trusts beside those of this program.
  public func examineFirmware(
    _ id: HeadphoneID, at path: String, trusting keys: MakerKeys = MakerKeys(),
    send: @escaping Send
  ) {
    firmware.examine(id, path: path, trusting: keys, send: untilStopped(send))
  }

  /// Begins an update, or resumes it; the link is quick as long as the update runs on it.
  ///
  /// - Parameter keys: makers whom the requester trusts beside those of this program; they count
  ///   for this update only.
  public func installFirmware(
    _ offer: FirmwareCandidate, on id: HeadphoneID, _ target: FirmwareTarget,
    trusting keys: MakerKeys = MakerKeys(), send: @escaping Send
  ) {
    // If the link has gone meanwhile, the next one resumes the update.
    guard let session = links.session(of: id) else { return }
    let send = untilStopped(send)
    links.pacer.beginUpdate(id, session, send)
    firmware.install(offer, on: id, target, trusting: keys, over: session, send: send) { [links] in
      links.pacer.endUpdate(id, session, send)
    }
  }

  /// The attributes of a headphone that is linked; nil: it is not.
  public func attributes(of id: HeadphoneID) async -> GATTClient? {
    await links.session(of: id)?.attributes
  }

  /// The way by which firmware travels to a headphone that is linked; nil: there is none.
  func firmwareLink(of id: HeadphoneID) async -> (any FirmwareLink)? {
    await links.session(of: id)?.firmwareLink
  }

  /// Waits until the files are as what was sent says.
  public func saved() async { await saving?.value }

  /// What is heard on the air from now on, by scans that others begin.
  public func peripherals() -> AsyncStream<DiscoveredHeadphone> { links.peripherals() }

  /// Sends what is known, and what happens from now on.
  ///
  public func start(
    autoConnect: AutoConnect, doing activities: Activities = .all, send: @escaping Send
  ) {
    let send = untilStopped(send)
    if activities.contains(.askAboutPairing) { addAttendant(send) }
    let bonds = watchBonds(send)
    send(
      .launched(
        recall(send), autoConnect: autoConnect, scans: activities.contains(.scan)))
    reportBonds(send)
    if activities.contains(.observeAudio) { observeAudio(send) }
    let world = world
    watches +=
      [
        bonds,
        Task { [links] in
          for await passed in links.tap.passed {
            let words = TrafficDescription(passed)
            send(
              .traffic(passed.headphone, words.level, words.text, words.packet))
          }
        },
        Task { [weak self] in
          await self?.lookAtAdapter(send)
          for await _ in world.radio.adapterChanges() { await self?.lookAtAdapter(send) }
        },
      ]
  }

  /// Follows the sound server from now on.
  func observeAudio(_ send: @escaping Send) {
    guard !isListeningToSound else { return }
    isListeningToSound = true
    let send = untilStopped(send)
    watches.append(
      Task { [weak self, audio] in
        var isFirst = true
        for await observation in audio.observations {
          if isFirst, case .running = observation {
            isFirst = false
            await self?.releaseLeftover(send)
          }
          send(.audio(observation))
          if self == nil { return }
        }
      })
  }

  /// Ends everything and returns when all links are closed.
  ///
  /// Nothing is sent afterwards.
  public func stop() async {
    scan?.cancel()
    questions?.cancel()
    for watch in watches { watch.cancel() }
    linkWatch?.cancel()
    timers.cancelAll()
    inspections.close()
    await firmware.close()
    await links.close()
    tasks.cancelAll()
    await saving?.value
    await world.bonds.flush()
    await players.finish()
    await notifying?.value
    await releaseHeldSink()
    isStopped = true
  }

  func untilStopped(_ send: @escaping Send) -> Send {
    { [weak self] action in if self?.isStopped == false { send(action) } }
  }

  /// Shows a desktop notification.
  ///
  /// Best effort: the same message is shown in the status line.
  private func notify(_ summary: String, _ body: String, _ send: @escaping Send) {
    let previous = notifying
    notifying = Task { [world] in
      await previous?.value
      do throws(DBusError) {
        try await world.desktop.notify(summary: displayable(summary), body: displayable(body))
      } catch {
        send(.noted(error == .noBus ? .debug : .warning, nil, "no desktop notification: \(error)"))
      }
    }
  }

  private func duration(of length: TimerLength) -> Duration {
    switch length {
    case .exactly(let duration): duration
    case .about(let duration): duration * world.jitter()
    }
  }
}
