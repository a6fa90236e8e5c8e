internal import AudioRoute
internal import Companion

extension SystemFacts {
  var soundFinding: Finding {
    switch sound {
    case .running(let server):
      return Finding(.soundServer, .ok, "\(server.serverName) \(server.serverVersion)")
    case .unavailable(let reason):
      let what = "\(reason.displayText): sound is not shown"
      return switch reason {
      case .noServer, .serverEnded:
        Finding(
          .soundServer, .warning, what,
          remedy: hasRuntimeFolder
            ? "systemctl --user start pipewire-pulse"
            : "log in as the user whose sound it is: XDG_RUNTIME_DIR is not set here")
      case .accessDenied:
        Finding(
          .soundServer, .problem, what,
          remedy: "start Earshot as the user whose sound it is, without sudo")
      case .unresponsive, .notStarted:
        Finding(
          .soundServer, .problem, what,
          remedy: "systemctl --user restart pipewire pipewire-pulse wireplumber")
      case .failed: Finding(.soundServer, .problem, what, remedy: "pactl info tells more")
      }
    }
  }

  var terminalFinding: Finding {
    guard let size = terminal.size else {
      return Finding(.terminal, .unknown, "there is none here; commands work without")
    }
    guard let type = terminal.type, terminal.isKnown else {
      return Finding(
        .terminal, .problem,
        terminal.type.map { "its type \($0) is not known" } ?? "TERM is not set",
        remedy: "export TERM=xterm-256color")
    }
    let colors = terminal.colors > 0 ? "\(terminal.colors) colours" : "no colours"
    let what = "\(type), \(colors), \(size.columns)x\(size.rows)"
    return size.columns < 44 || size.rows < 12
      ? Finding(
        .terminal, .warning, "\(what): the panels become tabs or one line",
        remedy: "80x24 shows all")
      : Finding(.terminal, .ok, what)
  }

  var localeFinding: Finding {
    let name = locale.name ?? "no locale is set"
    let remedy = "export LC_ALL=C.UTF-8"
    guard let codeset = locale.codeset else {
      return Finding(.locale, .warning, "\(name) is not on this machine", remedy: remedy)
    }
    return locale.isUnicode
      ? Finding(.locale, .ok, "\(name), UTF-8")
      : Finding(
        .locale, .warning, "\(name), \(codeset): the screen is drawn in ASCII", remedy: remedy)
  }

  var folderFinding: Finding {
    let path = stateFolder.path
    let quoted = quotedForShell(path)
    switch stateFolder.condition {
    case .canBeMade: return Finding(.stateFolder, .ok, "\(path) is made when it is needed")
    case .cannotBeMade:
      return Finding(
        .stateFolder, .problem, "\(path) cannot be made",
        remedy: "give this user a home that can be written, or set XDG_STATE_HOME")
    case .notAFolder:
      return Finding(
        .stateFolder, .problem, "\(path) is not a folder", remedy: "mv \(quoted) \(quoted).old")
    case .exists(_, _, isOwn: false):
      return Finding(
        .stateFolder, .problem, "\(path) is another user's",
        remedy: #"sudo chown -R "$(id -u)" \#(quoted)"#)
    case .exists(let mode, isWritable: false, _):
      return Finding(
        .stateFolder, .problem, "\(path) cannot be written (mode \(octal(mode)))",
        remedy: "chmod 700 \(quoted)")
    case .exists(let mode, _, _):
      return mode & 0o077 == 0
        ? Finding(.stateFolder, .ok, "\(path), mode \(octal(mode))")
        : Finding(
          .stateFolder, .warning, "\(path) is open to others (mode \(octal(mode)))",
          remedy: "chmod 700 \(quoted)")
    }
  }

  private func octal(_ mode: UInt32) -> String { "0" + String(mode, radix: 8) }
}
