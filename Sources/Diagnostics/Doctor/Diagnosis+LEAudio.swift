internal import AudioRoute
internal import BluetoothCodec
internal import BluetoothKernel
internal import BluetoothRadio
internal import Companion
internal import Glibc

extension LEAudioFacts {
  func adapterResult(of name: String?) -> DiagnosticResult {
    guard let name, let supported = kernel.supported else {
      return DiagnosticResult(
        .leAudioAdapter, .unknown, "the kernel does not say what the adapter can",
        fix: "sudo btmon shows its features when the adapter is switched off and on")
    }
    let abilities: [(ManagementSettings, String)] = [
      (.isochronousCentral, "stream to headphones"), (.isochronousBroadcaster, "broadcast"),
      (.synchronizedReceiver, "receive broadcasts"),
    ]
    let known = abilities.filter { supported.contains($0.0) }.map(\.1)
    guard supported.contains(.isochronousCentral) else {
      return DiagnosticResult(
        .leAudioAdapter, .warning,
        "\(name) cannot stream to headphones by LE Audio, or the kernel is too old to say so"
          + (known.isEmpty ? "" : "; it can \(known.joined(separator: ", "))"),
        fix: "an adapter with LE Audio, or a newer kernel; presets of hearing aids need neither")
    }
    return DiagnosticResult(
      .leAudioAdapter, .ok, "\(name) can \(known.joined(separator: ", "))")
  }

  func rateResult(of name: String?) -> DiagnosticResult {
    switch (name, kernel.hasDoubleRate) {
    case (let name?, true?): DiagnosticResult(.leAudioRate, .ok, "\(name) has LE 2M")
    case (let name?, false?):
      DiagnosticResult(
        .leAudioRate, .warning, "\(name) has no LE 2M: most streams do not fit",
        fix: "an adapter of Bluetooth 5.2 or later")
    default:
      DiagnosticResult(
        .leAudioRate, .unknown, "the kernel reports LE 2M to root only", fix: "sudo btmgmt phy")
    }
  }

  var versionResult: DiagnosticResult {
    guard let version = service?.version, !version.isEmpty else {
      return DiagnosticResult(
        .leAudioVersion, .unknown, "bluetoothd does not say which version it is",
        fix: "bluetoothctl --version")
    }
    let words = "bluetoothd " + version.map(String.init).joined(separator: ".")
    guard version.lexicographicallyPrecedes([5, 72]) else {
      return DiagnosticResult(.leAudioVersion, .ok, words)
    }
    return DiagnosticResult(
      .leAudioVersion, .warning,
      words
        + (version.lexicographicallyPrecedes([5, 66])
          ? " has no LE Audio" : " is among the first with LE Audio: few headphones stream"),
      fix: "a newer release of the distribution; BlueZ 5.72 or later")
  }

  var kernelResult: DiagnosticResult {
    switch (kernel.socket, kernel.feature) {
    case (.opens, _): DiagnosticResult(.leAudioKernel, .ok, "isochronous sockets are on")
    case (.fails(EPROTONOSUPPORT), .off?):
      DiagnosticResult(
        .leAudioKernel, .warning, "isochronous sockets are off", fix: Self.switchingOn)
    case (.fails(EPROTONOSUPPORT), .missing?):
      DiagnosticResult(
        .leAudioKernel, .warning, "this kernel has no isochronous sockets",
        fix: "boot a newer kernel")
    case (.fails(EPROTONOSUPPORT), _):
      DiagnosticResult(
        .leAudioKernel, .unknown,
        "isochronous sockets are off; the kernel does not say whether they can be switched on",
        fix: "btmgmt exp-info lists its experimental features")
    case (.fails(let error), _):
      DiagnosticResult(
        .leAudioKernel, .unknown, "no isochronous socket: \(describeErrno(error))",
        fix: "fix the kernel and the adapter first")
    }
  }

  var serviceResult: DiagnosticResult {
    guard let service else {
      return DiagnosticResult(
        .leAudioService, .unknown,
        hasDaemon == false
          ? "bluetoothd is not running" : "bluetoothd does not answer, or is not seen",
        fix: "busctl introspect org.bluez /org/bluez/hci0 shows Media1.SupportedUUIDs")
    }
    if configuration?.controllerMode == "bredr" {
      return DiagnosticResult(
        .leAudioService, .warning,
        "\(DaemonConfiguration.path) has ControllerMode = bredr: no LE at all",
        fix: "ControllerMode = dual there, then sudo systemctl restart bluetooth")
    }
    // PipeWire requires this endpoint.
    if service.endpoints.contains(0x2BC9) {
      let isLEOnly = configuration?.controllerMode == "le"
      return DiagnosticResult(
        .leAudioService, .ok,
        "bluetoothd offers LE Audio"
          + (service.endpoints.contains(0x1852) ? ", and broadcasts" : "")
          + (isLEOnly ? "; ControllerMode = le: nothing else connects" : ""))
    }
    if service.services.contains(0x1844) {
      return DiagnosticResult(
        .leAudioService, .warning,
        "bluetoothd is experimental, but has no isochronous sockets to stream by",
        fix: Self.switchingOn)
    }
    let isWanted = configuration?.isExperimental == true
    return DiagnosticResult(
      .leAudioService, .warning,
      "bluetoothd does not offer LE Audio"
        + (isWanted ? ", although \(DaemonConfiguration.path) has Experimental = true" : ""),
      fix: isWanted ? "sudo systemctl restart bluetooth, which ends all links" : Self.switchingOn)
  }

  func soundResult(of sound: AudioObservation) -> DiagnosticResult {
    guard case .running(let server) = sound else {
      return DiagnosticResult(
        .leAudioSound, .unknown, "no sound server answers",
        fix: "the check of the sound server comes first")
    }
    guard let version = Self.pipeWireVersion(server.serverName) else {
      return DiagnosticResult(
        .leAudioSound, .warning, "\(server.serverName) is not PipeWire: it has no LE Audio",
        fix: "use PipeWire with pipewire-pulse and WirePlumber")
    }
    let words = version.map(String.init).joined(separator: ".")
    if version.lexicographicallyPrecedes([0, 3, 59]) {
      return DiagnosticResult(
        .leAudioSound, .warning, "PipeWire \(words) has no LE Audio",
        fix: "PipeWire 0.3.59 or later, better 1.4")
    }
    return hasCodec
      ? DiagnosticResult(.leAudioSound, .ok, "PipeWire \(words) has the codec LC3")
      : DiagnosticResult(
        .leAudioSound, .unknown,
        "PipeWire \(words): its plug-in for LC3 is in none of the usual folders",
        fix: "find / -name libspa-codec-bluez5-lc3.so 2>/dev/null")
  }

  var headphonesResult: DiagnosticResult {
    guard let service, !service.devices.isEmpty else {
      return DiagnosticResult(
        .leAudioHeadphones, .unknown, "no paired headphone is known to have LE Audio",
        fix: "earshot inspect lists the services of a connected headphone: 1850 and 184E stream")
    }
    return DiagnosticResult(
      .leAudioHeadphones, .ok, service.devices.map(words).joined(separator: "; "))
  }

  private func words(_ device: LEAudioServiceFacts.Device) -> String {
    let abilities: [(UInt16, String)] = [
      (0x1850, "sound capabilities"), (0x184E, "streams"), (0x184F, "broadcasts by an assistant"),
      (0x1853, "common audio"), (0x1855, "telephony and media"), (0x1854, "presets"),
      (0x1846, "one of a set"),
    ]
    let words = abilities.filter { device.services.contains($0.0) }.map(\.1)
    let kept: [(UInt16, String)] = [
      (0x1844, "volume"), (0x184D, "microphones"), (0x1846, "set"), (0x184F, "broadcasts"),
    ]
    let withheld = configuration?.sharesClaimed == true ? [] : device.withheld
    let claims = kept.filter { withheld.contains($0.0) }.map(\.1)
    return "\(device.name) (\(device.isConnected ? "connected" : "not connected")): "
      + words.joined(separator: ", ")
      + (claims.isEmpty
        ? ""
        : " (bluetoothd holds its link, and keeps \(claims.joined(separator: ", ")) for itself)")
  }

  static func pipeWireVersion(_ name: String) -> [Int]? {
    guard let match = name.firstMatch(of: /PipeWire ([0-9]+(?:\.[0-9]+)*)/) else { return nil }
    return match.output.1.split(separator: ".").compactMap { Int($0) }
  }

  private static let switchingOn: Fix =
    """
    Experimental = true and KernelExperimental = 6fbaf188-05e0-496a-9885-d6ddfdb4e03e under [General] in \
    /etc/bluetooth/main.conf, then sudo systemctl restart bluetooth; bluetoothd then claims volume and sets
    """
}
