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
import Desktop
import Diagnostics
import EventLoop
import Glibc
import Persistence
import Sharing
import TerminalUI

/// The command `earshot doctor`.
///
/// With `--fix`, each command is shown and confirmed; commands that need root are confirmed even
/// with `--yes`. With `--report`, a text file for a maintainer is written, without names, addresses
/// and the commands of hooks unless `--unredacted` is given. Exit status: 3 for a problem of the
/// adapter or of permissions, 1 for any other problem.
struct DoctorCommand: SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = [
    "diagnose", .init("codecs", as: "--sound"), .init("quality", as: "--sound"),
    .init("le-audio", as: "--le-audio"), .init("report", as: "--report FILE", isSuggested: true),
    .init("bug", as: "--report FILE", isSuggested: true), .init("adapters", isSuggested: true),
  ]
  static let sharingFlag: String? = "--sound"

  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Diagnose problems and show how to fix them.",
    discussion: """
      Looks at kernel, adapter, permissions, sound server, terminal and files; changes nothing. \
      Ends with 0 if there is no problem, 3 if one is the adapter's or a permission's, else 1.

      With --fix it shows each command that fixes something and asks before it runs it; --yes runs \
      those that need no root without asking. It always asks before it runs one as root.

      With --sound it explains the sound of a headphone: the codecs of both sides, what is in use, \
      why it is no better and what to do, and what the log has of lost and changed sound. It asks \
      the headphone for its settings, and ends with 0.

      With --report it writes what a maintainer needs into a text file: its findings, versions, the \
      configuration and the end of the log, without names and addresses.

      EXAMPLES:
        earshot doctor
        earshot doctor --adapter hci1
        earshot doctor --le-audio
        earshot doctor --sound --device aurora
        earshot doctor --fix
        earshot doctor --report report.txt
        earshot doctor --json | jq '.findings[] | select(.state == "problem")'
      """)

  @Flag(help: "Also check whether LE Audio works here, and why not.")
  var leAudio = false

  @Flag(help: "Explain the quality of a headphone's sound instead.")
  var sound = false

  @Flag(help: "Run the fixes, asking before each command.")
  var fix = false

  @Flag(name: .shortAndLong, help: "With --fix: do not ask about commands that need no root.")
  var yes = false

  @Option(
    help: .init(
      "Write a report for a maintainer; an existing file is overwritten.", valueName: "file"),
    completion: .file())
  var report: String?

  @Flag(help: "With --report: keep names and addresses.")
  var unredacted = false

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func validate() throws {
    if yes, !fix {
      throw ValidationError("--yes needs --fix\nfor example: earshot doctor --fix --yes")
    }
    if sound, leAudio || fix || report != nil {
      throw ValidationError(
        "--sound is a separate report\nfor example: earshot doctor --sound --device aurora")
    }
    if unredacted, report == nil {
      throw ValidationError(
        "--unredacted needs --report\nfor example: earshot doctor --report report.txt --unredacted")
    }
  }

  /// Whether the report is about a headphone, which an owner may have to ask.
  var sharesLink: Bool { sound }

  /// Reports on a headphone's sound; one that cannot be reached, with what is known without it.
  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let target = target(in: context)
    let selector = selector(in: context)
    try? target.chooseKnown(selector)
    do throws(CommandError) {
      guard target.headphone != nil || selector != nil || options.isVirtual else {
        throw .notKnown(selector: nil)
      }
      try await linked(target, selector, on: context.console, isReading: true) {
        context.console.data(await target.soundQuality(or: selector), asJSON: options.json)
      }
    } catch {
      let report = await target.soundQuality(or: selector)
      context.console.data(report, asJSON: options.json)
      guard report.hasHeadphone || selector == nil else { throw error }
    }
  }

  /// Examines everything again after a fix, and prints the second diagnosis.
  @MainActor
  func run() async throws {
    guard !sound else { return try await runShared(after: nil) }
    if options.isVirtual {
      StandardConsole.shared.message(
        "virtual headphones need no adapter; this checks the real one")
    }
    var results = await diagnoseMachine(adapter: adapter, withLEAudio: leAudio)
    if fix, await runFixes(of: results) {
      results = await diagnoseMachine(adapter: adapter, withLEAudio: leAudio)
    }
    let diagnosis = DoctorReport(results, look: look)
    if let report { try await write(results, to: report) }
    StandardConsole.shared.data(diagnosis, asJSON: options.json)
    guard diagnosis.status == .ok else { throw ExitCode(diagnosis.status.rawValue) }
  }

  private var adapter: String? { options.isVirtual ? nil : options.adapter }

  private func runFixes(of results: [DiagnosticResult]) async -> Bool {
    let fixes = results.runnableFixes
    if fixes.isEmpty {
      StandardConsole.shared.message("nothing here can be fixed by a command")
    }
    var hasRun = false
    for fix in fixes where await isWanted(fix) {
      StandardConsole.shared.message("running: \(fix.text)")
      let status = fix.run()
      if status != 0 { StandardConsole.shared.message("exit status \(status)") }
      hasRun = true
    }
    return hasRun
  }

  /// Returns whether to run a fix: by `--yes`, or by an answer in the terminal.
  ///
  /// Without a terminal, commands that need root are never run.
  private func isWanted(_ fix: Fix) async -> Bool {
    if yes, !fix.runsAsRoot() { return true }
    guard StandardConsole.shared.isInteractive else {
      let how = fix.runsAsRoot() ? "" : "; or use --yes"
      StandardConsole.shared.message("skipped, needs a terminal to confirm\(how): \(fix.text)")
      return false
    }
    return await StandardConsole.shared.ask("Run `\(fix.text)`? [y/N] ", orElse: "--yes")
  }

  @MainActor
  private func write(_ results: [DiagnosticResult], to path: String) async throws {
    var (configuration, mistakes) = ConfigurationFile().read()
    var pseudonyms = Pseudonyms.ofThisUser
    if !unredacted {
      pseudonyms.learn(await askBluetoothd(adapter: adapter) { await $0.deviceNames() })
      configuration.replaceNames { pseudonyms.text(for: $0) }
      mistakes = mistakes.map(\.withoutNames)
    }
    let report = MachineReport(
      [
        MachineReport.versions(of: Earshot.configuration.version),
        .init("doctor", DoctorReport(results).text),
        .init("configuration", configuration.toml),
        .init("mistakes in it", ConfigurationFile().lines(for: mistakes).joined(separator: "\n")),
        .init("headphones", knownHeadphones),
      ] + MachineReport.log(StateFolder().file("earshot.log"), last: 500))
    let text = report.text(redacting: unredacted ? nil : TextRedaction(pseudonyms))
    do throws(FileError) {
      try await StandardConsole.shared.write(text, to: path, withNames: unredacted)
    } catch {
      throw exitCode(for: .file(error))
    }
  }

  private var knownHeadphones: String {
    let known = (try? KnownHeadphones(in: StateFolder()).all()) ?? []
    return known.isEmpty ? "" : HeadphonesReport(known: known).text
  }

  private var look: DoctorReport.Look {
    DoctorReport.Look(
      hasColors: isatty(STDOUT_FILENO) == 1 && !options.noColor && variable("NO_COLOR") == nil
        && variable("TERM") != "dumb",
      isUnicode: LocaleFacts.ofThisProcess.isUnicode)
  }
}

/// Diagnoses this machine, for `earshot doctor` and the screen's page.
///
/// - Parameters:
///   - adapter: The adapter in use, such as "hci0", or nil for any.
///   - ownsLink: Whether this process applies the sound settings.
func diagnoseMachine(
  adapter: String?, withLEAudio: Bool, ownsLink: Bool = false
) async -> [DiagnosticResult] {
  let leAudio: @Sendable () async -> LEAudioServiceFacts? = {
    await LEAudioServiceFacts(adapter: adapter)
  }
  return await examine(
    adapter: adapter, folder: StateFolder(),
    terminal: TerminalFacts(TerminalType()),
    heldLinks: {
      let held = await askBluetoothd(adapter: adapter) { await $0.heldControlLinks() }
      for await links in LinuxRadio(adapter: adapter).links() {
        return links.contains { $0.kind == .le } ? held : held.map { _ in [] }
      }
      return held
    },
    linkedSound: {
      await askBluetoothd(adapter: adapter) { client in
        await client.devicesWithAudio().map { device in
          LinkedSound(name: device.name, address: device.address.description)
        }
      }
    },
    buttons: {
      let mode = await ConfigurationFile().load().configuration.preferences.buttons
      let desktop = await within(.seconds(2), by: MainLoop.clock) { () -> String? in
        for await desktop in SessionDesktop().keyHandler() { return desktop }
        return nil
      }
      return ButtonFacts(mode: mode, desktop: desktop ?? nil)
    },
    soundSettings: {
      let rules = await ConfigurationFile().load().configuration.preferences.sound
      let named = adapter.flatMap { LinuxRadio.isDefault($0) ? nil : $0 }
      guard !ownsLink, let endpoint = OwnerEndpoint(adapter: named) else {
        return SoundSettingFacts(rules, isApplied: ownsLink)
      }
      // Connecting would create the folder.
      let isThere = access(endpoint.socket, F_OK) == 0
      return SoundSettingFacts(rules, isApplied: isThere && endpoint.connect() != nil)
    },
    leAudio: withLEAudio ? leAudio : nil,
    sound: {
      await observeAudio(
        { PulseSource(applicationName: "earshot") }, for: .seconds(2), by: MainLoop.clock)
    })
}

/// Reads what the security check needs of this computer, including bluetoothd's view.
func examineThisComputer(adapter: String?) async -> ComputerSecurityFacts {
  await examineComputer(adapter: adapter) {
    guard let found = await askBluetoothd(adapter: adapter, { await $0.exposure() }) else {
      return nil
    }
    return DaemonExposure(
      version: found.version,
      adapter: .init(
        isPairable: found.isPairable, pairableTimeout: found.pairableTimeout,
        isDiscoverable: found.isDiscoverable, discoverableTimeout: found.discoverableTimeout))
  }
}

/// Reads what the report on sound quality needs beside the headphone's own values.
func surveySound(_ adapter: String?, _ log: PrivateFile) async -> SoundSurvey {
  let media = await askBluetoothd(adapter: adapter) { await $0.media() }
  return await FileIO.shared.run {
    SoundSurvey(
      pipeWire: SoundPlugins.ofPipeWire(), pulseAudio: SoundPlugins.ofGStreamer(),
      headphones: media?.map { headphone in
        SoundSurvey.Headphone(
          name: headphone.name ?? "\(headphone.address)",
          address: headphone.address.description, offered: headphone.offered,
          stream: headphone.stream)
      }, log: lines(of: log))
  }
}

private func lines(of log: PrivateFile) -> [String] {
  var tail = LogTail(log)
  return (try? tail.newLines()) ?? []
}

extension SoundSurvey {
  /// Creates a survey in which each headphone has the endpoints of many real ones.
  static func ofVirtualHeadphones(
    _ headphones: [(name: String, address: String)], _ log: PrivateFile
  ) -> SoundSurvey {
    SoundSurvey(
      pulseAudio: ["sbc"],
      headphones: headphones.map { headphone in
        Headphone(
          name: headphone.name, address: headphone.address,
          offered: [
            MediaCapabilities(codec: 0x00, bytes: [0xFF, 0xFF, 2, 53]),
            MediaCapabilities(codec: 0x02, bytes: [0xC0, 0x01, 0x8C, 0x84, 0xE2, 0x00]),
          ], stream: MediaCapabilities(codec: 0x00, bytes: [0x21, 0x15, 2, 53]))
      }, log: lines(of: log))
  }
}

private func askBluetoothd<Answer: Sendable>(
  adapter: String?, _ ask: @Sendable (BlueZClient) async -> Answer
) async -> Answer {
  let client = BlueZClient(
    address: .system(environment: variable), adapter: adapter, agent: PairingAgent())
  let answer = await ask(client)
  await client.close()
  return answer
}

extension LEAudioServiceFacts {
  fileprivate init?(adapter: String?) async {
    guard let found = await askBluetoothd(adapter: adapter, { await $0.leAudio() }) else {
      return nil
    }
    self.init(
      endpoints: found.endpoints.shortForms, services: found.services.shortForms,
      devices: found.devices.map { device in
        Device(
          name: device.name ?? "\(device.address)", services: Set(device.services).shortForms,
          isConnected: device.isConnected, withheld: found.withheld[device.path]?.shortForms ?? [])
      }, version: found.version)
  }
}

extension Set<BluetoothUUID> {
  /// The 16-bit forms of the UUIDs assigned by the Bluetooth SIG.
  fileprivate var shortForms: Set<UInt16> {
    Set<UInt16>(compactMap(\.short16))
  }
}

extension TerminalFacts {
  fileprivate init(_ type: TerminalType) {
    self.init(
      type: type.name, isKnown: type.isKnown, colors: type.colors,
      size: type.size.map { Size(columns: $0.columns, rows: $0.rows) })
  }
}
