internal import AudioRoute
public import Bluetooth
internal import BluetoothCodec
public import Companion
internal import DBus
internal import Desktop
internal import EventLoop
public import GATT
internal import HeadphoneDrivers
public import HeadphoneProtocols
public import Persistence

/// The handler of all effects that `reduce` returns, in the environment of ``Dependencies``.
///
/// ```swift
/// let effects = LiveEffectHandler(dependencies: dependencies)
/// let store = Store(handler: effects, now: dependencies.now)
/// await effects.start(autoConnect: .lastUsed(else: .only)) { store.send($0) }
/// ```
///
/// Effects begin in the order in which they arrive and return at once; their work is in tasks.
/// Those that must not overtake each other (files, the sound server, notifications, players) wait
/// for the one before. After ``stop(reportingDelay:)`` no action is sent any more.
@MainActor
public final class LiveEffectHandler: EffectHandler {
  /// Receives the actions that an effect leads to.
  public typealias Send = @MainActor (Action) -> Void

  /// Activities that start with the app.
  public struct Activities: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Scans when the adapter is or becomes ready.
    public static let scan = Activities(rawValue: 1)
    /// Observes the sound server.
    public static let observeAudio = Activities(rawValue: 2)
    /// A user can answer pairing questions; otherwise ``LiveEffectHandler/addAttendant(_:)`` says
    /// when.
    public static let askAboutPairing = Activities(rawValue: 4)
    /// Follows the media players, and gives the desktop the charges.
    public static let joinDesktop = Activities(rawValue: 8)
    public static let all: Activities = [.scan, .observeAudio, .askAboutPairing, .joinDesktop]
  }

  /// Effects on the terminal.
  public struct Screen {
    /// Redraws the whole screen.
    public var redraw: @MainActor () -> Void
    /// Redraws in the theme of this name; nil: in that of the configuration.
    public var showTheme: @MainActor (String?) -> Void
    /// Restores the terminal and stops the process (^Z).
    public var suspend: @MainActor () -> Void
    /// Lends the terminal to the commands of a fix, and reports their end.
    public var runFix: @MainActor (Fix) -> Void
    /// Copies a text to the terminal's clipboard (OSC 52).
    public var copy: @MainActor (String) -> Void

    /// - Parameter copy: does nothing by default.
    public init(
      redraw: @escaping @MainActor () -> Void,
      showTheme: @escaping @MainActor (String?) -> Void = { _ in },
      suspend: @escaping @MainActor () -> Void,
      runFix: @escaping @MainActor (Fix) -> Void = { _ in },
      copy: @escaping @MainActor (String) -> Void = { _ in }
    ) {
      self.redraw = redraw
      self.showTheme = showTheme
      self.suspend = suspend
      self.runFix = runFix
      self.copy = copy
    }
  }

  /// The environment.
  public let dependencies: Dependencies
  /// The sound server, connected at first use.
  private(set) lazy var audio: any AudioRouteSource = dependencies.makeAudio()
  private var isListeningToSound = false
  /// Whether the desktop is given charges, and headphones a media player.
  var joinsDesktop = false
  /// The player that headphones are offered; offers are made in order.
  var offer = PlayerOffer.withdrawn
  var offering: Task<Void, Never>?
  /// The last key that was passed on to a player; keys are passed on in order.
  var presses: Task<Void, Never>?
  /// The last charges that were given; they are given in order.
  var sharing: Task<Void, Never>?
  /// Why the adapter could not be examined last; nil: it could.
  var adapterFailure: RadioError?
  let links: ConnectionManager
  let firmware: FirmwareUpdateManager
  private let inspections: Inspections
  private let hooks: HookRunner
  let chains: ChainRunner
  /// Tasks without another owner.
  let tasks = TaskRegistry()
  /// After ``stop(reportingDelay:)`` no actions are sent.
  private var isStopped = false
  let players: PausedPlayers
  /// The last command to the sound server; commands are serialised.
  var audioCommands: Task<Void, Never>?
  let heldSink: CorkedSink
  /// The last notification; notifications are serialised.
  private var notifying: Task<Void, Never>?
  private let screen: Screen?
  private var timers: Timers
  /// The search for broadcasts, beside the scan for headphones.
  var broadcastSearch: Task<Void, Never>?
  var scan: Task<Void, Never>?
  private var watches: [Task<Void, Never>] = []
  /// Observes the adapter's connections while it is on.
  var linkWatch: Task<Void, Never>?
  /// Forwards pairing questions while a user can answer.
  var questions: Task<Void, Never>?
  /// Number of screens whose users can answer pairing questions.
  var attendants = 0
  /// The last write to a file; writes are serialised.
  var saving: Task<Void, Never>?
  /// What headphones change so often that it is written together.
  var heldWrites = HeldWrites()
  /// Why the last change of the known headphones is not in its file; nil: it is.
  var listFailure: FileError?

  /// Why the next run will not know what this one does, headphones or keys; nil: it will.
  public var unsaved: FileError? { listFailure ?? dependencies.bonds.failure }

  /// - Parameter screen: nil: without a terminal, effects on it do nothing.
  public init(dependencies: Dependencies, screen: Screen? = nil) {
    self.dependencies = dependencies
    self.screen = screen
    players = PausedPlayers(desktop: dependencies.desktop)
    heldSink = CorkedSink(beside: dependencies.known)
    links = ConnectionManager(dependencies: dependencies, tasks: tasks)
    firmware = FirmwareUpdateManager(dependencies: dependencies, tasks: tasks)
    inspections = Inspections(tasks: tasks)
    hooks = HookRunner(clock: dependencies.clock)
    chains = ChainRunner(clock: dependencies.clock, folder: dependencies.known.folder)
    timers = Timers(clock: dependencies.clock)
  }

  /// Starts an effect; its actions are sent to `send`, now or later.
  ///
  /// A switch without a default: a new effect does not compile before it is handled.
  public func begin(_ effect: Effect, send: @escaping Send) {
    let send = untilStopped(send)
    switch effect {
    case .startScan: startScan(send)
    case .stopScan: stopScan(send)
    case .connect(let id):
      recallCharges(of: [id], send)
      links.connect(id, send: send)
    case .listen(let id): links.listen(for: id, send: send)
    case .disconnect(let id): links.disconnect(id)
    case .listenForMember(let id, let peer): links.session(of: id)?.listen(forMember: peer)
    case .stopListeningForMember(let id, let peer):
      links.session(of: id)?.stopListening(forMember: peer)
    case .perform(let id, let command, let token):
      tasks.run { [links] in
        send(.commandEnded(id, command, token, await links.perform(id, command, send: send)))
      }
    case .pair(let id, let audio): links.pair(id, audio: audio, send: send)
    case .replyToPairing(let id, let answer): dependencies.agent.reply(to: id, with: answer)
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
    case .correction(let effect): begin(effect, send)
    case .audio(let command): perform(command, send)
    case .pairSound(let id, let address): links.pairSound(id, address, send: send)
    case .connectSound(let id, let address):
      guard let address = BluetoothAddress(address) else { return }
      Task { try? await connectSound(id, address, send) }
    case .setPower(let isOn): setPower(isOn, send)
    case .commandPlayer(let command, let player): self.send(command, player, send)
    case .pressPlayer(let command, let player): press(command, player, send)
    case .offerPlayer(let offer): offerPlayer(offer)
    case .shareCharges(let charges): shareCharges(charges)
    case .remember(let headphone): remember(headphone, send)
    case .keepCharge(let id, let sample): keep(sample, of: id, send)
    case .keepDischarge(let id, let discharge): keep(discharge, of: id, send)
    case .keep(let part, let headphone): keep(part, of: headphone, send)
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
    case .completePath(let path):
      tasks.run {
        let completion = await FileIO.named.run(within: FileIO.namedFileTimeout) {
          FolderListing.completion(of: path)
        }
        guard let completion else {
          return send(.noted(.warning, nil, "\(FileError.stalled(path: displayable(path)))"))
        }
        send(.pathCompleted(path, completion))
      }
    case .searchBroadcasts(let isOn): searchBroadcasts(isOn, send)
    case .examine: tasks.run { [dependencies] in send(.examined(await dependencies.examine())) }
    case .notify(let summary, let body): notify(summary, body, send)
    case .runHook(let run): hooks.run(run, send: send)
    case .trace(let isOn): links.tap.set(isOn: isOn)
    case .copy(let text): screen?.copy(text)
    case .redraw: screen?.redraw()
    case .showTheme(let name): screen?.showTheme(name)
    case .changeConfiguration(let change):
      let previous = saving
      saving = Task { [dependencies] in
        await previous?.value
        guard let why = await dependencies.changeConfiguration(change) else { return }
        send(.configurationKept(change, why: why))
      }
    case .runFix(let fix): screen?.runFix(fix)
    case .suspend: screen?.suspend()
    }
  }

  /// The clock of ``dependencies``.
  public var clock: any Clock<Duration> { dependencies.clock }

  /// Sends a command to a connected headphone.
  ///
  /// - Parameter send: receives actions other than the outcome.
  public func perform(
    _ command: HeadphoneCommand, on id: HeadphoneID, send: @escaping Send
  ) async -> CommandOutcome {
    await links.perform(id, command, send: send)
  }

  /// The quality of a headphone's link; nil: there is none.
  public func measure(_ id: HeadphoneID) async -> LinkQuality? {
    await links.session(of: id)?.measure()
  }

  /// Reads an image file and verifies its signature.
  ///
  /// - Parameter keys: vendor keys that the requester trusts, in addition to the app's.
  public func examineFirmware(
    _ id: HeadphoneID, at path: String, trusting keys: MakerKeys = MakerKeys(),
    send: @escaping Send
  ) {
    firmware.examine(id, path: path, trusting: keys, send: untilStopped(send))
  }

  /// Starts or resumes an update; the link's interval is short while it runs.
  ///
  /// - Parameter keys: vendor keys that the requester trusts for this update, in addition to the
  ///   app's.
  public func installFirmware(
    _ offer: FirmwareCandidate, on id: HeadphoneID, _ target: FirmwareTarget,
    trusting keys: MakerKeys = MakerKeys(), send: @escaping Send
  ) {
    // Without a link, the next connection resumes the update.
    guard let session = links.session(of: id) else { return }
    let send = untilStopped(send)
    links.pacer.beginUpdate(id, session, send)
    firmware.install(offer, on: id, target, trusting: keys, over: session, send: send) { [links] in
      links.pacer.endUpdate(id, session, send)
    }
  }

  /// The GATT client of a connected headphone; nil: it is not connected.
  public func attributes(of id: HeadphoneID) -> GATTClient? {
    links.session(of: id)?.attributes
  }

  /// The firmware transport of a connected headphone; nil: there is none.
  func firmwareLink(of id: HeadphoneID) -> (any FirmwareLink)? {
    links.session(of: id)?.firmwareLink
  }

  /// Waits until all writes to files have ended.
  ///
  /// - Parameter report: called if the disk takes longer than three seconds.
  public func saved(reportingDelay report: (@MainActor @Sendable () -> Void)? = nil) async {
    let delay = report.map { report in
      Task { [clock = dependencies.clock] in
        if (try? await clock.sleep(for: .seconds(3))) != nil { report() }
      }
    }
    saveHeldWrites()
    await saving?.value
    await dependencies.bonds.flush()
    delay?.cancel()
  }

  /// Sends the initial state of the environment, and then what changes; returns when the known
  /// headphones are read.
  ///
  /// The first action is `launched` with the known headphones; then come bonds, the sound server,
  /// the adapter, and each change of them.
  ///
  /// - Parameters:
  ///   - autoConnect: which headphone to connect by itself.
  ///   - activities: what to start; by default everything.
  ///   - send: receives all actions until ``stop(reportingDelay:)``.
  public func start(
    autoConnect: AutoConnect, doing activities: Activities = .all, send: @escaping Send
  ) async {
    let send = untilStopped(send)
    let known = await recall(send)
    guard !isStopped else { return }
    if activities.contains(.askAboutPairing) { addAttendant(send) }
    let bonds = watchBonds(send)
    send(.launched(known, autoConnect: autoConnect, scans: activities.contains(.scan)))
    recallCharges(of: known.map(\.id), send)
    reportBonds(send)
    if activities.contains(.observeAudio) { observeAudio(send) }
    joinsDesktop = activities.contains(.joinDesktop)
    let dependencies = dependencies
    if joinsDesktop {
      watches += [
        Task { for await playing in dependencies.desktop.playing() { send(.nowPlaying(playing)) } },
        Task {
          for await handler in dependencies.desktop.keyHandler() {
            send(.keyHandlerChanged(handler.map(KeyHandler.desktop) ?? .none))
          }
        },
      ]
    }
    watches +=
      [
        bonds,
        Task { for await news in dependencies.radio.deviceNews() { send(.deviceNews(news)) } },
        Task { [links] in
          for await passed in links.tap.passed {
            let words = TrafficDescription(passed)
            send(
              .traffic(passed.headphone, words.level, words.text, words.packet))
          }
        },
        Task { [weak self] in
          await self?.lookAtAdapter(send)
          for await _ in dependencies.radio.adapterChanges() { await self?.lookAtAdapter(send) }
        },
      ]
  }

  /// Starts to observe the sound server.
  ///
  /// Done once; a command calls it when it needs the sound, a screen at its start.
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

  /// Ends everything, and returns when all links are closed and all is saved; no action is sent
  /// afterwards.
  ///
  /// What waits is saved first, and whatever does not respond is left behind after a time: a radio or a
  /// sound server that hangs costs its own release, and no file.
  ///
  /// - Parameter report: called if the disk takes longer than three seconds.
  /// - Returns: whether all is saved.
  @discardableResult
  public func stop(reportingDelay report: (@MainActor @Sendable () -> Void)? = nil) async -> Bool {
    defer { isStopped = true }
    let save: @MainActor () async -> Void = { await self.saved(reportingDelay: report) }
    var isSaved = await waitAtMost(.seconds(60), by: clock, for: save)
    await waitAtMost(.seconds(3), by: clock) { await self.disconnect() }
    if isSaved { isSaved = await waitAtMost(.seconds(60), by: clock, for: save) }
    return isSaved
  }

  /// Ends everything but what is being saved, side by side.
  private func disconnect() async {
    scan?.cancel()
    broadcastSearch?.cancel()
    questions?.cancel()
    for watch in watches { watch.cancel() }
    linkWatch?.cancel()
    timers.cancelAll()
    inspections.close()
    async let hooksEnd: Void = hooks.stop()
    async let soundEnd: Void = endSound()
    async let chainsEnd: Void = chains.stop()
    await firmware.close()
    await links.close()
    tasks.cancelAll()
    await notifying?.value
    _ = await (hooksEnd, soundEnd, chainsEnd)
  }

  private func endSound() async {
    await players.finish()
    await releaseHeldSink()
  }

  /// Drops the actions of effects that outlive the program's end.
  func untilStopped(_ send: @escaping Send) -> Send {
    { [weak self] action in if self?.isStopped == false { send(action) } }
  }

  /// Shows a desktop notification.
  ///
  /// Best effort: the same message is shown in the status line.
  private func notify(_ summary: String, _ body: String, _ send: @escaping Send) {
    let previous = notifying
    notifying = Task { [dependencies] in
      await previous?.value
      do throws(DBusError) {
        try await dependencies.desktop.notify(
          summary: displayable(summary), body: displayable(body))
      } catch {
        send(.noted(error == .noBus ? .debug : .warning, nil, "no desktop notification: \(error)"))
      }
    }
  }

  /// The length of a timer, with jitter where it asks for some.
  private func duration(of length: TimerLength) -> Duration {
    switch length {
    case .exactly(let duration): duration
    case .about(let duration): duration * dependencies.jitter()
    }
  }
}
