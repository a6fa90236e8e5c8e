import ArgumentParser
import AudioRoute
import BlueZ
import BluetoothCodec
import BluetoothKernel
import BluetoothRadio
import Companion
import CompanionRuntime
import Configuration
import DBus
import Diagnostics
import EventLoop
import HeadphoneProtocols
import Logging
import Persistence
import Sharing
import VirtualHeadphones

/// The real or virtual parts of the program, according to options and configuration.
///
/// Real and virtual parts are chosen only here. The rest of the program uses
/// ``/CompanionRuntime/Dependencies``:
///
/// | part | real | `--adapter virtual` |
/// | --- | --- | --- |
/// | radio | the kernel's, under bluetoothd's | virtual headphones |
/// | bonds | a file | memory |
/// | sound | libpulse | a scripted source |
/// | known headphones | a file | a file of their own |
struct LiveDependencies {
  let dependencies: Dependencies
  /// Writes to the log file, or nowhere if it cannot be opened.
  let logger: Logger
  let configuration: Configuration
  /// The mistakes in the configuration; they are logged and do not stop the program.
  let mistakes: [ConfigurationMistake]
  let virtual: VirtualRadio?
  let sound: ScriptedAudioSource?
  private let capture: CapturedRadio?

  /// Reads configuration, models and keys, and creates all parts.
  ///
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
    var (models, fileMistakes) = await FileIO.shared.run { ModelFolder(file).read() }
    let own = await FileIO.shared.run { DriverFolder(file).read() }
    models.drivers = own.drivers
    fileMistakes += own.mistakes
    let forced = try await Self.family(options)
    for mistake in fileMistakes {
      logger.error("\(mistake.message)")
      StandardConsole.shared.message(mistake.message)
    }
    let adapter = options.adapter
    let agent = PairingAgent(clock: MainLoop.clock)
    let bonds = options.isVirtual ? BondFile() : BondFile(in: folder)
    virtual =
      switch options.environment {
      case .own: VirtualRadio.environment(isQuiet: options.isQuiet, agent: agent, bonds: bonds)
      case .families: VirtualRadio(VirtualModel.families, agent: agent, bonds: bonds)
      case .leAudio:
        VirtualRadio(
          VirtualModel.leAudio, broadcasts: VirtualBroadcast.airport, agent: agent, bonds: bonds)
      case .unknown: VirtualRadio(VirtualModel.unknown, agent: agent, bonds: bonds)
      case .flaws: VirtualRadio(VirtualModel.flawed, agent: agent, bonds: bonds)
      case nil: nil
      }
    let linux = LinuxRadio(
      adapter: adapter, clock: MainLoop.clock, agent: agent, bonds: bonds,
      notice: Self.report(logger))
    let known = KnownHeadphones(in: folder, environment: options.environment?.rawValue)
    let base: any Radio =
      virtual
      ?? BlueZRadio(
        over: linux,
        client: BlueZClient(
          address: .system(environment: variable), adapter: adapter, agent: agent,
          clock: MainLoop.clock))
    capture = try options.capture.map { path throws(DependencyError) in
      do throws(CaptureError) {
        return try CapturedRadio(
          base, overKernel: !options.isVirtual, to: path,
          filter: options.redact ? CaptureRedaction(.ofThisUser).filter : nil)
      } catch {
        throw DependencyError(FailureReport(error))
      }
    }
    let radio: any Radio = capture ?? base
    let profiles = configuration.allProfiles
    let sounding = virtual.map(Self.soundDevices)
    let sound = sounding.map { ScriptedAudioSource(headphones: $0) }
    self.sound = sound
    var dependencies = Dependencies(
      radio: radio, adapter: options.isVirtual ? nil : adapter,
      services: profiles.reduce(into: FamilyAdvertisements.services) {
        $0.formUnion($1.advertisedServices)
      }.union(FamilyAdvertisements.services(of: models.drivers + [forced].compactMap(\.self))),
      patterns: FamilyAdvertisements.patterns(forced: forced, drivers: models.drivers),
      models: models,
      prepareDriver: HeadphoneConnection.drivers(
        of: profiles, keepingIn: known, bonds: bonds, forced: forced, models: models,
        radio: radio
      ) {
        [logger] id, incident in
        logger.warning("\(incident)", metadata: ["headphone": "\(id.rawValue)"])
      },
      makeAudio: { if let sound { sound } else { PulseSource(applicationName: "earshot") } },
      clock: MainLoop.clock, known: known, agent: agent, bonds: bonds,
      trustedKeys: { makers.keys })
    dependencies.family = forced
    dependencies.sessionBus = DBusAddress.session(environment: variable).map {
      SessionBus(
        address: $0, version: Earshot.configuration.version, isVirtual: options.isVirtual,
        servesWidgets: configuration.desktop.hasBudsLink)
    }
    let examined = options.isVirtual ? nil : adapter
    dependencies.examine = {
      await diagnoseMachine(adapter: examined, withLEAudio: true, ownsLink: true)
    }
    dependencies.examineComputer = { await examineThisComputer(adapter: examined) }
    let isVirtual = options.isVirtual
    let log = folder.file("earshot.log")
    dependencies.surveySound = {
      isVirtual ? .ofVirtualHeadphones(sounding ?? [], log) : await surveySound(adapter, log)
    }
    dependencies.runFix = { $0.runVisibly() }
    dependencies.changeConfiguration = { await ConfigurationFile().apply($0) }
    self.dependencies = dependencies
  }

  /// Returns the headphone to connect at launch; options take precedence over the configuration.
  func autoConnect(_ options: CommonOptions) -> AutoConnect {
    if let selector = options.device { return .matching(selector) }
    switch configuration.connection.rule {
    case .lastUsed: return .lastUsed(else: options.newDevice)
    case .never: return .never
    case .matching(let selector): return .matching(selector)
    }
  }

  var selector: String? {
    guard case .matching(let selector) = configuration.connection.rule else { return nil }
    return selector
  }

  var capturesAll: Bool { capture?.isOfAll == true }

  func finish() async -> CaptureError? { await capture?.finish() }

  private static func family(
    _ options: CommonOptions
  ) async throws(DependencyError) -> HeadphoneFamily? {
    guard let driver = options.driver else { return nil }
    return try await driver.family()
  }

  /// Returns the audio sides of the virtual headphones, the nearest last, which gets the sound.
  private static func soundDevices(of radio: VirtualRadio) -> [(name: String, address: String)] {
    radio.headphones.map(\.model).reversed().compactMap { model in
      model.audioAddress.map { (model.family?.audioName ?? model.name, $0.description) }
    }
  }

  private static func report(_ logger: Logger) -> @Sendable (RadioWarning) -> Void {
    { warning in
      if case .prepared = warning {
        logger.info("\(warning)")
      } else {
        logger.warning("\(warning)")
      }
    }
  }

  /// Opens the log at `info`, or `debug` with `--verbose`; a failure is reported once.
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

extension FailureReport {
  init(_ error: CaptureError) {
    self.init(what: "\(error)", advice: error.advice, code: ExitStatus.failed.rawValue)
  }
}

/// An error in creating a part of the program; the exit status is 1.
struct DependencyError: Error {
  let failure: FailureReport

  init(_ failure: FailureReport) {
    self.failure = FailureReport(
      what: failure.what, advice: failure.advice, code: ExitStatus.failed.rawValue)
  }
}
