import Glibc
import TestSupport

/// A real sound server of the test's own, without hardware, on a private runtime directory.
///
/// It sees no sound card, no Bluetooth and no other user's or session's server.
final class SoundServer {
  enum Kind: CaseIterable {
    case pulseAudio
    case pipeWire

    /// What must be installed; the package beside each program.
    fileprivate var programs: [(program: String, package: String)] {
      [("pactl", "pulseaudio-utils"), ("pacat", "pulseaudio-utils")]
        + (self == .pulseAudio
          ? [("pulseaudio", "pulseaudio")]
          : [
            ("dbus-daemon", "dbus"), ("pipewire", "pipewire"), ("wireplumber", "wireplumber"),
            ("pipewire-pulse", "pipewire-pulse"),
          ])
    }
  }

  let kind: Kind
  private let directory: String
  private var processes: [ChildProcess] = []

  /// Prepares the directory; nothing runs yet.
  init(_ kind: Kind) throws {
    for (program, package) in kind.programs where !isInstalled(program) {
      throw RigFailure("\(program) is missing: install \(package), or run `scripts/prepare test`")
    }
    self.kind = kind
    var template = Array("/tmp/earshot-sound-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw RigFailure("mkdtemp: errno \(errno)") }
    directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    mkdir(directory + "/run", 0o700)
    mkdir(directory + "/home", 0o700)
    if kind == .pipeWire { try withoutHardware() }
  }

  deinit {
    end()
    _ = try? TestSupport.run(["rm", "-rf", directory], environment: environment)
  }

  /// For `PULSE_SERVER`.
  var address: String { "unix:\(directory)/run/pulse/native" }

  /// Starts it, or all of it but one program; that it is ready is told by whoever connects.
  func start(without missing: String? = nil) throws {
    for part in parts where part.command.first != missing {
      if let needed = part.needs { try waitForSocket(directory + "/run/" + needed) }
      processes.append(
        try ChildProcess(
          ["/usr/bin/env"] + part.command, environment: environment, log: directory + "/log"))
    }
  }

  /// Ends it with a signal, the last started first, and waits for that.
  func end(_ signal: String = "KILL") {
    while let process = processes.popLast() { process.end(signal) }
  }

  /// Stops the program that clients talk to, or continues it.
  func signal(_ name: String) throws {
    let program = kind == .pulseAudio ? "pulseaudio" : "pipewire-pulse"
    let script = """
      for process in $(pgrep -x \(program)); do
        if grep -qa "XDG_RUNTIME_DIR=\(directory)/run" /proc/$process/environ; then
          kill -s \(name) $process && echo $process
        fi
      done
      """
    let found = try TestSupport.run(["sh", "-c", script], environment: environment)
    guard !found.isEmpty else { throw RigFailure("no \(program) of this test runs") }
  }

  @discardableResult
  func pactl(_ arguments: String...) throws -> String {
    try TestSupport.run(["pactl"] + arguments, environment: environment)
  }

  /// Adds a sink that plays into nothing, with the given properties; returns its module.
  @discardableResult
  func addSink(_ name: String, properties: [(String, String)] = []) throws -> String {
    let list = properties.map { "\($0)='\($1)'" }.joined(separator: " ")
    return try pactl(
      "load-module", "module-null-sink", "sink_name=\(name)", "sink_properties=\"\(list)\""
    ).filter(\.isNumber)
  }

  /// Adds a microphone without sound.
  func addSource(_ name: String) throws {
    switch kind {
    case .pulseAudio:
      try pactl("load-module", "module-null-source", "source_name=\(name)", "description=\(name)")
    case .pipeWire:
      try pactl(
        "load-module", "module-null-sink", "media.class=Audio/Source/Virtual",
        "sink_name=\(name)", "sink_properties=device.description=\(name)")
    }
  }

  /// Records a source, or an output's monitor, until it is let go.
  func record(_ source: String, as program: String) throws -> ChildProcess {
    try ChildProcess(
      [
        "/usr/bin/env", "parec", "--raw", "--client-name=\(program)", "--device=\(source)",
        "/dev/null",
      ],
      environment: environment, log: directory + "/log")
  }

  /// What the server says of itself, and the end of what its programs wrote, to explain a failure.
  var account: String {
    [
      "pactl info; pactl list short sinks", "pw-metadata", "tail -n 20 \(directory)/log",
    ].map { command in
      let said = try? TestSupport.run(
        ["sh", "-c", "(\(command)) 2>&1 || true"], environment: environment)
      return "$ \(command)\n\(said ?? "")"
    }.joined(separator: "\n")
  }

  /// Starts a program beside the server, until it is let go.
  func run(_ command: [String]) throws -> ChildProcess {
    try ChildProcess(
      ["/usr/bin/env"] + command, environment: environment, log: directory + "/log")
  }

  /// Runs a program beside the server to its end, which may be a failure.
  func finish(_ command: [String]) throws -> String {
    let words = command.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
    return try TestSupport.run(["sh", "-c", "\(words) || true"], environment: environment)
  }

  /// Plays silence on the default sink, or one of its own choice, until it is let go.
  func play(on sink: String? = nil, as program: String? = nil) throws -> ChildProcess {
    let choice =
      (sink.map { ["--device=\($0)"] } ?? []) + (program.map { ["--client-name=\($0)"] } ?? [])
    return try ChildProcess(
      ["/usr/bin/env", "pacat", "--raw"] + choice + ["/dev/zero"], environment: environment,
      log: directory + "/log")
  }

  /// The programs of the server, and the socket without which each would not start.
  private var parts: [(command: [String], needs: String?)] {
    switch kind {
    case .pulseAudio:
      [
        (
          [
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--disallow-exit=true",
            "-L", "module-native-protocol-unix",
          ], nil
        )
      ]
    case .pipeWire:
      [
        (
          [
            "dbus-daemon", "--session", "--nofork", "--nopidfile",
            "--address=unix:path=\(directory)/run/bus",
          ], nil
        ),
        (["pipewire"], "bus"), (["wireplumber"], "pipewire-0"), (["pipewire-pulse"], "pipewire-0"),
      ]
    }
  }

  /// Of all programs that are to see this server and no other.
  var environment: [String: String] {
    [
      "PATH": variable("PATH") ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      "HOME": directory + "/home", "XDG_RUNTIME_DIR": directory + "/run",
      "XDG_CONFIG_HOME": directory + "/home/.config",
      "XDG_STATE_HOME": directory + "/home/.state",
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(directory)/run/bus",
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory)/run/no-system-bus",
    ]
  }

  /// Configures WirePlumber 0.4 and 0.5 to leave the machine's devices alone.
  private func withoutHardware() throws {
    let configuration = directory + "/home/.config/wireplumber"
    try write(
      "alsa_monitor.enabled = false\nv4l2_monitor.enabled = false\n"
        + "libcamera_monitor.enabled = false\n",
      to: configuration + "/main.lua.d/90-no-hardware.lua")
    try write(
      "bluez_monitor.enabled = false\n",
      to: configuration + "/bluetooth.lua.d/90-no-hardware.lua")
    try write(
      """
      wireplumber.profiles = {
        main = {
          hardware.audio = disabled
          hardware.bluetooth = disabled
          hardware.video-capture = disabled
        }
      }
      """, to: configuration + "/wireplumber.conf.d/90-no-hardware.conf")
  }
}

private func isInstalled(_ program: String) -> Bool {
  (variable("PATH") ?? "/usr/bin:/bin").split(separator: ":").contains {
    access("\($0)/\(program)", X_OK) == 0
  }
}

private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

private func write(_ text: String, to path: String) throws {
  var parent = ""
  for component in path.split(separator: "/").dropLast() {
    parent += "/\(component)"
    mkdir(parent, 0o700)
  }
  guard let file = fopen(path, "w") else { throw RigFailure("\(path): errno \(errno)") }
  defer { fclose(file) }
  fputs(text, file)
}
