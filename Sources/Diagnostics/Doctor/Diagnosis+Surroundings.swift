internal import AudioRoute
internal import BluetoothKernel
internal import Companion

extension SystemFacts {
  var soundResult: DiagnosticResult {
    switch sound {
    case .running(let server):
      return DiagnosticResult(.soundServer, .ok, "\(server.serverName) \(server.serverVersion)")
    case .unavailable(let reason):
      let what = "\(reason.displayText): sound is not shown"
      return switch reason {
      case .noServer, .serverEnded:
        DiagnosticResult(
          .soundServer, .warning, what,
          fix: hasRuntimeFolder
            ? .command("systemctl", "--user", "start", "pipewire-pulse")
            : "log in as the user who owns the sound session: XDG_RUNTIME_DIR is not set")
      case .accessDenied:
        DiagnosticResult(
          .soundServer, .problem, what,
          fix: "run Earshot as the user who owns the sound session, without sudo")
      case .unresponsive, .notStarted:
        DiagnosticResult(
          .soundServer, .problem, what,
          fix: .command(
            "systemctl", "--user", "restart", "pipewire", "pipewire-pulse", "wireplumber"))
      case .noLibrary(let why):
        DiagnosticResult(
          .soundServer, .warning, "\(what) (\(why))", fix: .advice(reason.advice))
      case .failed: DiagnosticResult(.soundServer, .problem, what, fix: "pactl info shows more")
      }
    }
  }

  var headphoneSoundResult: DiagnosticResult {
    guard case .running(let sound) = sound else {
      return DiagnosticResult(.headphoneSound, .unknown, "only a sound server tells")
    }
    let devices = sound.conditions
    let present = devices.map {
      (name: $0.device.description, selector: $0.device.id.text, condition: $0.condition)
    }
    let absent = linkedSound.filter { link in
      !devices.contains { $0.device.id.text == link.address }
    }
    let all =
      present
      + absent.map { (name: $0.name, selector: $0.address, condition: SoundCondition.absent) }
    guard !all.isEmpty else {
      return DiagnosticResult(.headphoneSound, .ok, "no headphone's sound is connected")
    }
    let what = all.map { "\($0.name): \($0.condition.displayText)" }.joined(separator: "; ")
    // Where several headphones are connected, the sound of all but one goes elsewhere.
    let isHeard = all.contains { $0.condition == .music }
    guard let worst = all.first(where: \.condition.isDefect) ?? (isHeard ? nil : all.first) else {
      return DiagnosticResult(.headphoneSound, .ok, what)
    }
    let advice = worst.condition.advice(for: worst.selector).map(Fix.advice)
    return DiagnosticResult(
      .headphoneSound, worst.condition.isDefect ? .warning : .ok, what,
      fix: worst.condition == .absent ? Self.restart(of: sound) : advice)
  }

  private static func restart(of sound: AudioSnapshot) -> Fix {
    sound.canSuspend
      ? .command("pactl", "load-module", "module-bluetooth-discover")
      : .command("systemctl", "--user", "restart", "pipewire", "pipewire-pulse", "wireplumber")
  }

  var buttonsResult: DiagnosticResult {
    let isWanted = buttons.mode.isOn(besideDesktop: buttons.desktop != nil)
    if bluetooth.hasDaemon == false {
      return DiagnosticResult(
        .buttons, .unknown, "without bluetoothd a headphone's buttons do nothing")
    }
    if bluetooth.hasPlayerProxy == true {
      let what = "mpris-proxy has them where it was first, and gives all to one player"
      return isWanted
        ? DiagnosticResult(
          .buttons, .warning, "\(what), playing or not",
          fix: .command("systemctl", "--user", "disable", "--now", "mpris-proxy"))
        : DiagnosticResult(.buttons, .ok, what)
    }
    if isWanted {
      return DiagnosticResult(
        .buttons, .ok, "Earshot passes them to the media player, while a screen or an agent runs")
    }
    if let desktop = buttons.desktop {
      return DiagnosticResult(.buttons, .ok, "the desktop (\(desktop)) handles them")
    }
    return DiagnosticResult(
      .buttons, .warning, "off in the configuration, and no desktop here handles them",
      fix: "buttons = \"auto\" in [sound] of the configuration: earshot config edit")
  }

  /// The result for settings, which need a running program, a sound server, and bluetoothd.
  var soundSettingsResult: DiagnosticResult {
    let chosen = soundSettings.chosen
    let names = chosen.map(\.name).joined(separator: ", ")
    guard !chosen.isEmpty else {
      return DiagnosticResult(.soundSettings, .ok, "the defaults")
    }
    guard soundSettings.isApplied else {
      return DiagnosticResult(
        .soundSettings, .warning,
        "\(names): applied while a screen or an agent runs, and none does",
        fix: .command("systemctl", "--user", "enable", "--now", "earshot"))
    }
    if case .unavailable(let reason) = sound {
      return DiagnosticResult(
        .soundSettings, .warning, "\(names): not applied, \(reason.displayText)")
    }
    if chosen.contains(.following), bluetooth.hasDaemon == false {
      return DiagnosticResult(
        .soundSettings, .warning,
        "\(SoundSetting.following.name): without bluetoothd no sound can be connected",
        fix: .command("systemctl", "start", "bluetooth", asRoot: true))
    }
    return DiagnosticResult(.soundSettings, .ok, "\(names): applied by the Earshot that runs")
  }

  var terminalResult: DiagnosticResult {
    guard let size = terminal.size else {
      return DiagnosticResult(.terminal, .unknown, "not a terminal; commands work without one")
    }
    guard let type = terminal.type, terminal.isKnown else {
      return DiagnosticResult(
        .terminal, .problem,
        terminal.type.map { "terminal type \($0) is unknown" } ?? "TERM is not set",
        fix: "export TERM=xterm-256color")
    }
    let colors = terminal.colors > 0 ? "\(terminal.colors) colours" : "no colours"
    let what = "\(type), \(colors), \(size.columns)x\(size.rows)"
    return size.columns < 44 || size.rows < 12
      ? DiagnosticResult(
        .terminal, .warning, "\(what): the panels become tabs or one line",
        fix: "80x24 shows everything")
      : DiagnosticResult(.terminal, .ok, what)
  }

  var localeResult: DiagnosticResult {
    let name = locale.name ?? "no locale is set"
    let fix: Fix = "export LC_ALL=C.UTF-8"
    guard let codeset = locale.codeset else {
      return DiagnosticResult(.locale, .warning, "\(name) is not on this machine", fix: fix)
    }
    return locale.isUnicode
      ? DiagnosticResult(.locale, .ok, "\(name), UTF-8")
      : DiagnosticResult(
        .locale, .warning, "\(name), \(codeset): the screen is drawn in ASCII", fix: fix)
  }

  var folderResult: DiagnosticResult {
    let path = stateFolder.path
    switch stateFolder.condition {
    case .canBeMade:
      return DiagnosticResult(.stateFolder, .ok, "\(path) will be created when it is needed")
    case .cannotBeMade:
      return DiagnosticResult(
        .stateFolder, .problem, "\(path) cannot be created",
        fix: "give this user a writable home directory, or set XDG_STATE_HOME")
    case .notAFolder:
      return DiagnosticResult(
        .stateFolder, .problem, "\(path) is not a folder", fix: .command("mv", path, "\(path).old"))
    case .full:
      return DiagnosticResult(
        .stateFolder, .problem, "\(path) is on a full disk: nothing is remembered",
        fix: "make room; df -h \(path) shows how much there is")
    case .readOnly:
      return DiagnosticResult(
        .stateFolder, .problem, "\(path) is on a read-only disk: nothing is remembered",
        fix: "set XDG_STATE_HOME to a folder that can be written")
    case .exists(_, _, isOwn: false):
      return DiagnosticResult(
        .stateFolder, .problem, "\(path) belongs to another user",
        fix: .command("chown", "-R", "\(stateFolder.user)", path, asRoot: true))
    case .exists(let mode, isWritable: false, _):
      return DiagnosticResult(
        .stateFolder, .problem, "\(path) is not writable (mode \(octal(mode)))",
        fix: .command("chmod", "700", path))
    case .exists(let mode, _, _):
      return mode & 0o077 == 0
        ? DiagnosticResult(.stateFolder, .ok, "\(path), mode \(octal(mode))")
        : DiagnosticResult(
          .stateFolder, .warning, "\(path) is open to others (mode \(octal(mode)))",
          fix: .command("chmod", "700", path))
    }
  }

  private func octal(_ mode: UInt32) -> String { "0" + String(mode, radix: 8) }
}

extension SoundCondition {
  /// Whether the state cannot be intended, unlike mute, a call or another output.
  fileprivate var isDefect: Bool {
    switch self {
    case .music, .muted, .silent, .call, .elsewhere: false
    case .callQuality, .off, .absent, .ambiguous, .pinAbsent: true
    }
  }
}
