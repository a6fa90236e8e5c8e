internal import AudioRoute
internal import Companion

extension SystemFacts {
  var soundFinding: DiagnosticResult {
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
            : "log in as the user whose sound it is: XDG_RUNTIME_DIR is not set here")
      case .accessDenied:
        DiagnosticResult(
          .soundServer, .problem, what,
          fix: "start Earshot as the user whose sound it is, without sudo")
      case .unresponsive, .notStarted:
        DiagnosticResult(
          .soundServer, .problem, what,
          fix: .command(
            "systemctl", "--user", "restart", "pipewire", "pipewire-pulse", "wireplumber"))
      case .failed: DiagnosticResult(.soundServer, .problem, what, fix: "pactl info tells more")
      }
    }
  }

  var terminalFinding: DiagnosticResult {
    guard let size = terminal.size else {
      return DiagnosticResult(.terminal, .unknown, "there is none here; commands work without")
    }
    guard let type = terminal.type, terminal.isKnown else {
      return DiagnosticResult(
        .terminal, .problem,
        terminal.type.map { "its type \($0) is not known" } ?? "TERM is not set",
        fix: "export TERM=xterm-256color")
    }
    let colors = terminal.colors > 0 ? "\(terminal.colors) colours" : "no colours"
    let what = "\(type), \(colors), \(size.columns)x\(size.rows)"
    return size.columns < 44 || size.rows < 12
      ? DiagnosticResult(
        .terminal, .warning, "\(what): the panels become tabs or one line",
        fix: "80x24 shows all")
      : DiagnosticResult(.terminal, .ok, what)
  }

  var localeFinding: DiagnosticResult {
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

  var folderFinding: DiagnosticResult {
    let path = stateFolder.path
    switch stateFolder.condition {
    case .canBeMade: return DiagnosticResult(.stateFolder, .ok, "\(path) is made when it is needed")
    case .cannotBeMade:
      return DiagnosticResult(
        .stateFolder, .problem, "\(path) cannot be made",
        fix: "give this user a home that can be written, or set XDG_STATE_HOME")
    case .notAFolder:
      return DiagnosticResult(
        .stateFolder, .problem, "\(path) is not a folder", fix: .command("mv", path, "\(path).old"))
    case .exists(_, _, isOwn: false):
      return DiagnosticResult(
        .stateFolder, .problem, "\(path) is another user's",
        fix: .command("chown", "-R", "\(stateFolder.user)", path, asRoot: true))
    case .exists(let mode, isWritable: false, _):
      return DiagnosticResult(
        .stateFolder, .problem, "\(path) cannot be written (mode \(octal(mode)))",
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
