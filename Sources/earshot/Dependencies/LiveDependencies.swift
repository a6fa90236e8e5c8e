import AudioRoute
import BlueZ
import Bluetooth
import BluetoothCodec
import BluetoothLinux
import Companion
import CompanionRuntime
import Configuration
import DBus
import Diagnostics
import EventLoop
import GATT
import HeadphoneProtocols
import Logging
import Persistence
import Sharing
import VirtualHeadphones

/// The real or virtual parts of the program, as options and configuration select them.
///
/// The one place where real and virtual parts are chosen. What runs afterwards sees
/// ``/CompanionRuntime/Dependencies`` only:
///
/// | part | real | `--adapter virtual` |
/// | --- | --- | --- |
/// | radio | the kernel's, under bluetoothd's | virtual headphones |
/// | bonds | a file | memory |
/// | sound | libpulse | a scripted source |
/// | known headphones | a file | a file of their own |
struct LiveDependencies {
  /// What the store and its effects see.
  let dependencies: Dependencies
  /// Writes to the log file; to nothing where that cannot be opened.
  let logger: Logger
  /// The configuration at the start.
  let configuration: Configuration
  /// The mistakes in the configuration, which are logged and do not stop the program.
  let mistakes: [ConfigurationMistake]
  /// The virtual headphones, where they are used.
  let virtual: VirtualRadio?
  /// Writes the traffic to a file; nil without `--capture`.
  private let capture: CapturedRadio?

  /// Reads configuration, models and keys, and creates all parts.
  ///
  /// - Parameter trust: vendor keys named on the command line, in addition to the configuration's.
  /// - Throws: ``DependencyError`` if a key or the capture file cannot be opened.
  init(
    _ options: CommonOptions, trusting trust: TrustOptions
  ) async throws(DependencyError) {
    let makers: TrustedMakers
    do throws(CommandError) {
      makers = try await TrustedMakers(options, trust)
    } catch {
      throw DependencyError(FailureReport(error))
    }
    let folder = StateFolder()
    logger = await Self.logger(in: folder, options)
    let file = ConfigurationFile()
    let (configuration, mistakes) = await file.load()
    (self.configuration, self.mistakes) = (configuration, mistakes)
    for mistake in mistakes { logger.error("\(file.name), \(mistake)") }
    let (models, modelMistakes) = await FileIO.shared.run { ModelFolder(file).read() }
    for mistake in modelMistakes {
      logger.error("\(mistake.message)")
      StandardConsole.shared.message(mistake.message)
    }
    let adapter = options.adapter ?? configuration.connection.adapter
    let agent = PairingAgent(clock: MainLoop.clock)
    let bonds = options.isVirtual ? BondFile() : BondFile(in: folder)
    virtual =
      switch options.environment {
      case .own: VirtualRadio.environment(isQuiet: options.isQuiet, agent: agent, bonds: bonds)
      case .families: VirtualRadio(VirtualModel.families, agent: agent, bonds: bonds)
      case .leAudio:
        VirtualRadio(
          VirtualModel.leAudio, broadcasts: VirtualBroadcast.airport, agent: agent, bonds: bonds)
      case nil: nil
      }
    let linux = LinuxRadio(
      adapter: adapter, clock: MainLoop.clock, agent: agent, bonds: bonds,
      notice: Self.report(logger))
    let base: any Radio = virtual ?? linux
    let known = KnownHeadphones(in: folder, environment: options.environment?.rawValue)
    if let path = options.capture {
      do {
        let captured = try CapturedRadio(
          base, to: path, filter: options.redact ? CaptureRedaction(.ofThisUser).filter : nil)
        capture = captured
      } catch {
        throw DependencyError(FailureReport(what: "\(error)", advice: error.advice, code: 0))
      }
    } else {
      capture = nil
    }
    let radio: any Radio =
      virtual == nil
      ? BlueZRadio(
        over: capture ?? base,
        client: BlueZClient(
          address: .system(environment: variable), adapter: adapter, agent: agent,
          clock: MainLoop.clock)) : capture ?? base
    let profiles = configuration.allProfiles
    let sounding = virtual.map(Self.soundDevices)
    var dependencies = Dependencies(
      radio: radio, adapter: options.isVirtual ? nil : adapter,
      services: profiles.reduce(into: FamilyAdvertisements.services) {
        $0.formUnion($1.advertisedServices)
      },
      patterns: FamilyAdvertisements.patterns(forced: options.driver), models: models,
      prepareDriver: HeadphoneConnection.drivers(
        of: profiles, keepingIn: known, bonds: bonds, forced: options.driver, models: models,
        radio: radio
      ) {
        [logger] id, incident in
        logger.warning("\(incident)", metadata: ["headphone": "\(id.rawValue)"])
      },
      makeAudio: {
        guard let sounding else { return PulseSource(applicationName: "earshot") }
        return ScriptedAudioSource(headphones: sounding)
      },
      clock: MainLoop.clock, known: known, agent: agent, bonds: bonds,
      trustedKeys: { makers.keys })
    dependencies.family = options.driver
    let examined = options.isVirtual ? nil : adapter
    dependencies.examine = {
      await diagnoseMachine(adapter: examined, withLEAudio: true, ownsLink: true)
    }
    dependencies.runFix = { $0.runVisibly() }
    dependencies.changeConfiguration = { await ConfigurationFile().apply($0) }
    self.dependencies = dependencies
  }

  /// The headphone to connect at the start; the command line takes precedence over the
  /// configuration.
  func autoConnect(_ options: CommonOptions) -> AutoConnect {
    if let selector = options.device { return .matching(selector) }
    switch configuration.connection.rule {
    case .lastUsed: return .lastUsed(else: options.newDevice)
    case .never: return .never
    case .matching(let selector): return .matching(selector)
    }
  }

  /// The selector in the configuration, for commands that have none; nil: there is none either.
  var selector: String? {
    guard case .matching(let selector) = configuration.connection.rule else { return nil }
    return selector
  }

  /// Whether the traffic of other programs is captured too.
  var capturesAll: Bool { capture?.isOfAll == true }

  /// Completes the capture; an error in it becomes a message.
  func finish() async {
    if let error = await capture?.finish() { StandardConsole.shared.message("\(error)") }
  }

  /// The audio sides of the virtual headphones, the nearest last: the sound goes there.
  private static func soundDevices(of radio: VirtualRadio) -> [(name: String, address: String)] {
    radio.headphones.map(\.model).reversed().compactMap { model in
      model.audioAddress.map { (model.family?.audioName ?? model.name, $0.description) }
    }
  }

  /// The radio's warnings as lines of the log.
  ///
  /// They say what still works, or what was changed; failures come as errors.
  private static func report(_ logger: Logger) -> @Sendable (RadioWarning) -> Void {
    { warning in
      if case .prepared = warning {
        logger.info("\(warning)")
      } else {
        logger.warning("\(warning)")
      }
    }
  }

  /// A logger to the log file, with more detail if the user wants it.
  ///
  /// If the file cannot be opened, that is reported once, and nothing is logged.
  ///
  /// The level is `info`, or `debug` with `--verbose`.
  private static func logger(in folder: StateFolder, _ options: CommonOptions) async -> Logger {
    do {
      let level: Logger.Level = options.verbose ? .debug : .info
      let file = try await LogFile.opened(
        folder.file("earshot.log"), subsystem: "earshot", level: level, within: .seconds(5))
      return Logger(label: "earshot") { _ in file }
    } catch {
      StandardConsole.shared.message("no log: \(error)")
      return Logger(label: "earshot") { _ in SwiftLogNoOpLogHandler() }
    }
  }
}

/// A part of the program that could not be created.
///
/// Reported as a message, with exit status 1.
struct DependencyError: Error {
  /// What happened, and what to do.
  let failure: FailureReport

  init(_ failure: FailureReport) {
    self.failure = FailureReport(
      what: failure.what, advice: failure.advice, code: ExitStatus.failed.rawValue)
  }
}
