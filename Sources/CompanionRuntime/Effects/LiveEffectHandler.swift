internal import AudioRoute
package import BluetoothAttributes
internal import BluetoothCodec
package import BluetoothRadio
package import Companion
internal import DBus
internal import Desktop
internal import EventLoop
package import FirmwareCrypto
internal import HeadphoneDrivers
package import HeadphoneProtocols
package import Persistence

/// The handler of all effects that `reduce` returns, in the environment of ``Dependencies``.
///
/// Effects start in the order in which they arrive; their work is in tasks. Effects on files, the
/// sound server, notifications and players are serialised. After ``stop(reportingDelay:)`` no
/// action is sent.
@MainActor
package final class LiveEffectHandler: EffectHandler {
  package typealias Send = @MainActor (Action) -> Void

  package struct Activities: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Scans when the adapter is or becomes ready.
    package static let scan = Activities(rawValue: 1)
    package static let observeAudio = Activities(rawValue: 2)
    /// A user can answer pairing questions; else ``LiveEffectHandler/addAttendant(_:)`` says when.
    package static let askAboutPairing = Activities(rawValue: 4)
    /// Follows the media players, and shares the charges with the desktop.
    package static let joinDesktop = Activities(rawValue: 8)
    package static let all: Activities = [.scan, .observeAudio, .askAboutPairing, .joinDesktop]
  }

  package struct Screen {
    package var redraw: @MainActor () -> Void
    /// Redraws in the theme with this name, or in the configured one if nil.
    package var showTheme: @MainActor (String?) -> Void
    /// Restores the terminal and stops the process (^Z).
    package var suspend: @MainActor () -> Void
    /// Lends the terminal to the commands of a fix, and reports their end.
    package var runFix: @MainActor (Fix) -> Void
    /// Copies text to the terminal's clipboard (OSC 52).
    package var copy: @MainActor (String) -> Void

    /// Creates the effects, of which only `redraw` and `suspend` are required.
    package init(
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

  package let dependencies: Dependencies
  private(set) lazy var audio: any AudioRouteSource = dependencies.makeAudio()
  private var isListeningToSound = false
  var joinsDesktop = false
  var offer = PlayerOffer.withdrawn
  var offering: Task<Void, Never>?
  /// The last key that was passed on to each player; keys of one player are passed on in order.
  var presses: [MediaPlayer: Task<Void, Never>] = [:]
  var sharing: Task<Void, Never>?
  var adapterFailure: RadioError?
  /// The error of the last attempt to connect a headphone's sound, unless it succeeded.
  var soundFailures: [HeadphoneID: AudioLinkError] = [:]
  let links: ConnectionManager
  let firmware: FirmwareUpdateManager
  private let inspections: Inspections
  private let hooks: HookRunner
  let chains: ChainRunner
  let tasks = TaskRegistry()
  private var isStopped = false
  let players: PausedPlayers
  var audioCommands: Task<Void, Never>?
  let heldSink: CorkedSink
  private var notifying: Task<Void, Never>?
  /// Called with each notification, its summary and its body, for terminals that show it.
  package var onNotification: @MainActor (String, String) -> Void = { _, _ in }
  private let screen: Screen?
  private var timers: Timers
  var broadcastSearch: Task<Void, Never>?
  var scan: Task<Void, Never>?
  private var watches: [Task<Void, Never>] = []
  var linkWatch: Task<Void, Never>?
  var questions: Task<Void, Never>?
  var attendants = 0
  var saving: Task<Void, Never>?
  var heldWrites = HeldWrites()
  /// The error that keeps the last change of known headphones from its file, if any.
  var listFailure: FileError?

  /// The error that keeps headphones or keys from being saved for the next run, if any.
  package var unsaved: FileError? { listFailure ?? dependencies.bonds.failure }

  /// Creates the handler; without a `screen`, effects on the terminal do nothing.
  package init(dependencies: Dependencies, screen: Screen? = nil) {
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
  package func begin(_ effect: Effect, send: @escaping Send) {
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
    case .readCharge(let id): tasks.run { [links] in await links.readCharge(id, send: send) }
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
    case .examineSecurity(let id): tasks.run { send(await self.examineSecurity(of: id)) }
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

  package var clock: any Clock<Duration> { dependencies.clock }

  package func perform(
    _ command: HeadphoneCommand, on id: HeadphoneID, send: @escaping Send
  ) async -> CommandOutcome {
    await links.perform(id, command, send: send)
  }

  package func measure(_ id: HeadphoneID) async -> LinkQuality? {
    await links.session(of: id)?.measure()
  }

  package func examineFirmware(
    _ id: HeadphoneID, at path: String, trusting keys: MakerKeys = MakerKeys(),
    send: @escaping Send
  ) {
    firmware.examine(id, path: path, trusting: keys, send: untilStopped(send))
  }

  /// Starts or resumes an update, with a short connection interval.
  package func installFirmware(
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

  package func attributes(of id: HeadphoneID) -> GATTClient? {
    links.session(of: id)?.attributes
  }

  func firmwareLink(of id: HeadphoneID) -> (any FirmwareLink)? {
    links.session(of: id)?.firmwareLink
  }

  /// Waits until all writes to files have ended; calls `report` if that takes three seconds.
  package func saved(reportingDelay report: (@MainActor @Sendable () -> Void)? = nil) async {
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

  /// Sends the initial state of the environment and then its changes.
  ///
  /// The first action is `launched` with the known headphones; the call returns when these are
  /// read. Bonds, the sound server, the adapter and their changes follow.
  ///
  /// - Parameter send: Receives all actions until ``stop(reportingDelay:)``.
  package func start(
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

  /// Starts observing the sound server, once.
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

  /// Ends everything, and returns when all links are closed and everything is saved.
  ///
  /// No action is sent afterwards. Waiting data is saved first. A radio or a sound server that does
  /// not respond is abandoned after a time limit.
  ///
  /// - Returns: Whether everything is saved.
  @discardableResult
  package func stop(reportingDelay report: (@MainActor @Sendable () -> Void)? = nil) async -> Bool {
    defer { isStopped = true }
    let save: @MainActor () async -> Void = { await self.saved(reportingDelay: report) }
    var isSaved = await waitAtMost(.seconds(60), by: clock, for: save)
    await waitAtMost(.seconds(3), by: clock) { await self.disconnect() }
    if isSaved { isSaved = await waitAtMost(.seconds(60), by: clock, for: save) }
    return isSaved
  }

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

  /// Returns a `send` that drops the actions of effects that outlive the program's end.
  func untilStopped(_ send: @escaping Send) -> Send {
    { [weak self] action in if self?.isStopped == false { send(action) } }
  }

  private func notify(_ summary: String, _ body: String, _ send: @escaping Send) {
    onNotification(summary, body)
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

  private func duration(of length: TimerLength) -> Duration {
    switch length {
    case .exactly(let duration): duration
    case .about(let duration): duration * dependencies.jitter()
    }
  }
}
