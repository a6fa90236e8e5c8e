import AudioRoute
import BluetoothKernel
import Companion
import Testing

@testable import Diagnostics

@Suite struct SurroundingsDiagnosisTests {
  @Test(
    arguments: [
      (.noServer, .warning, "systemctl --user start pipewire-pulse"),
      (.serverEnded, .warning, "systemctl --user start pipewire-pulse"),
      (.accessDenied, .problem, "run Earshot as the user who owns the sound session, without sudo"),
      (.unresponsive, .problem, "systemctl --user restart pipewire pipewire-pulse wireplumber"),
      (
        .noLibrary("libpulse.so.0: no such file"), .warning,
        "install it (Debian: libpulse0, Fedora: pulseaudio-libs) and start earshot again"
      ),
      (.failed("Protocol error"), .problem, "pactl info shows more"),
    ] as [(AudioUnavailable, DiagnosticResult.State, String)])
  func `a sound server that tells nothing is said why`(
    reason: AudioUnavailable, state: DiagnosticResult.State, remedy: String
  ) {
    let facts = SystemFacts.healthy.but { $0.sound = .unavailable(reason) }
    #expect(facts.result(.soundServer)?.state == state)
    #expect(facts.result(.soundServer)?.remedy == remedy)
    #expect(diagnose(facts).contains { $0.state == .problem } == (state == .problem))
  }

  @Test func `a running sound server is reported with its version`() {
    #expect(
      SystemFacts.healthy.result(.soundServer)?.what == "PulseAudio (on PipeWire 1.0.5) 15.0.0")
  }

  /// A person's settings of the sound, and what is in the way of them.
  private static func settings(
    isApplied: Bool, _ change: (inout SystemFacts) -> Void = { _ in }
  ) -> SystemFacts {
    .healthy.but {
      var rules = SoundRules()
      rules.all[.following] = .word("follow")
      rules.all[.ceiling] = .number(60)
      $0.soundSettings = SoundSettingFacts(rules, isApplied: isApplied)
      change(&$0)
    }
  }

  @Test(
    arguments: [
      (
        SurroundingsDiagnosisTests.settings(isApplied: false),
        "sound, volume-ceiling: applied while a screen or an agent runs, and none does",
        "systemctl --user enable --now earshot"
      ),
      (
        settings(isApplied: true) { $0.sound = .unavailable(.noServer) },
        "sound, volume-ceiling: not applied, \(AudioUnavailable.noServer.displayText)", nil
      ),
      (
        settings(isApplied: true) { $0.bluetooth.hasDaemon = false },
        "sound: without bluetoothd no sound can be connected", "sudo systemctl start bluetooth"
      ),
    ] as [(SystemFacts, String, String?)])
  func `what is in the way of the sound settings is said, with what helps`(
    facts: SystemFacts, what: String, remedy: String?
  ) {
    #expect(facts.result(.soundSettings)?.state == .warning)
    #expect(facts.result(.soundSettings)?.what == what)
    #expect(facts.result(.soundSettings)?.remedy == remedy)
  }

  @Test func `sound settings that are applied are named, and defaults are none`() {
    let applied = Self.settings(isApplied: true).result(.soundSettings)
    #expect(applied?.state == .ok)
    #expect(applied?.what == "sound, volume-ceiling: applied by the Earshot that runs")
    #expect(
      SystemFacts.healthy.result(.soundSettings)?.what == "the defaults")
  }

  @Test func `without a session there is no sound server to start`() {
    let facts = SystemFacts.healthy.but {
      $0.sound = .unavailable(.noServer)
      $0.hasRuntimeFolder = false
    }
    #expect(facts.result(.soundServer)?.remedy?.contains("XDG_RUNTIME_DIR") == true)
  }

  @Test(
    arguments: [
      (
        TerminalFacts(type: nil, isKnown: false, colors: 0, size: .usual), .problem,
        "TERM is not set"
      ),
      (
        .init(type: "odd", isKnown: false, colors: 0, size: .usual), .problem,
        "terminal type odd is unknown"
      ),
      (
        .init(type: "vt100", isKnown: true, colors: 0, size: .usual), .ok,
        "vt100, no colours, 80x24"
      ),
      (
        .init(type: "xterm", isKnown: true, colors: 8, size: .init(columns: 43, rows: 24)),
        .warning,
        "xterm, 8 colours, 43x24: the panels become tabs or one line"
      ),
      (
        .init(type: "xterm", isKnown: true, colors: 8, size: nil), .unknown,
        "not a terminal; commands work without one"
      ),
    ] as [(TerminalFacts, DiagnosticResult.State, String)])
  func `a terminal is judged by what it can show`(
    terminal: TerminalFacts, state: DiagnosticResult.State, what: String
  ) {
    let result = SystemFacts.healthy.but { $0.terminal = terminal }.result(.terminal)
    #expect(result?.state == state)
    #expect(result?.what == what)
  }

  @Test(
    arguments: [
      (LocaleFacts(name: nil, codeset: "ANSI_X3.4-1968"), .warning),
      (LocaleFacts(name: "xx_XX.UTF-8", codeset: nil), .warning),
      (LocaleFacts(name: "C.UTF-8", codeset: "UTF-8"), .ok),
    ] as [(LocaleFacts, DiagnosticResult.State)])
  func `a locale without UTF-8 is a warning`(locale: LocaleFacts, state: DiagnosticResult.State) {
    let result = SystemFacts.healthy.but { $0.locale = locale }.result(.locale)
    #expect(result?.state == state)
    #expect(result?.remedy == (state == .ok ? nil : "export LC_ALL=C.UTF-8"))
  }

  @Test(
    arguments: [
      (.canBeMade, .ok, nil),
      (
        .cannotBeMade, .problem, "give this user a writable home directory, or set XDG_STATE_HOME"
      ),
      (.notAFolder, .problem, "mv /s /s.old"),
      (.full, .problem, "make room; df -h /s shows how much there is"),
      (.readOnly, .problem, "set XDG_STATE_HOME to a folder that can be written"),
      (.exists(mode: 0o700, isWritable: true, isOwn: true), .ok, nil),
      (.exists(mode: 0o755, isWritable: true, isOwn: true), .warning, "chmod 700 /s"),
      (.exists(mode: 0o500, isWritable: false, isOwn: true), .problem, "chmod 700 /s"),
      (
        .exists(mode: 0o700, isWritable: false, isOwn: false), .problem,
        "sudo chown -R 1000 /s"
      ),
    ] as [(FolderFacts.Condition, DiagnosticResult.State, String?)])
  func `the state folder must be the user's own`(
    condition: FolderFacts.Condition, state: DiagnosticResult.State, remedy: String?
  ) {
    let facts = SystemFacts.healthy.but {
      $0.stateFolder = FolderFacts(path: "/s", condition: condition, user: 1000)
    }
    #expect(facts.result(.stateFolder)?.state == state)
    #expect(facts.result(.stateFolder)?.remedy == remedy)
    #expect(diagnose(facts).contains { $0.state == .problem } == (state == .problem))
  }
}

extension TerminalFacts.Size {
  fileprivate static let usual = TerminalFacts.Size(columns: 80, rows: 24)
}
