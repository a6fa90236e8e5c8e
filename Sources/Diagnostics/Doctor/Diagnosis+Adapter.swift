internal import BluetoothAttributes
internal import BluetoothKernel
internal import BluetoothRadio
internal import Companion

extension SystemFacts {
  var kernelResult: DiagnosticResult {
    switch bluetooth.kernel {
    case .present where !missingAlgorithms.isEmpty:
      DiagnosticResult(
        .kernel, .warning,
        "the kernel has not loaded \(missingAlgorithms.joined(separator: ", "))"
          + ": no headphone can be paired over LE",
        fix: .commands(
          [FixCommand(["modprobe", "-a", "ecdh_generic", "cmac"], needsRoot: true)]
            + switching("off", "on")))
    case .present: DiagnosticResult(.kernel, .ok, "the kernel supports Bluetooth")
    case .absent:
      DiagnosticResult(
        .kernel, .problem, "the kernel has no Bluetooth support",
        fix: .command("modprobe", "bluetooth", asRoot: true))
    case .elsewhere:
      DiagnosticResult(
        .kernel, .problem, "Bluetooth is not available in this network namespace",
        fix: "start Earshot outside the container, or the container with --network=host")
    case .unknown(let error):
      DiagnosticResult(.kernel, .unknown, "\(error)", fix: .advice(error.advice))
    }
  }

  var adapterResult: DiagnosticResult {
    if let adapter = bluetooth.chosen {
      let controller = bluetooth.controller.map { "\($0)" } ?? ""
      let words = [adapter.name, "\(adapter.address)", controller].filter { !$0.isEmpty }
      return DiagnosticResult(.adapter, .ok, words.joined(separator: ", "))
    }
    guard bluetooth.kernel == .present else {
      return DiagnosticResult(.adapter, .unknown, "unknown without Bluetooth in the kernel")
    }
    if let wantedAdapter, !bluetooth.adapters.isEmpty {
      let names = bluetooth.adapters.map(\.name).joined(separator: ", ")
      return DiagnosticResult(
        .adapter, .problem, "there is no \(wantedAdapter), but \(names)",
        fix: .advice(RadioError.unknownAdapter(wantedAdapter).advice))
    }
    return DiagnosticResult(
      .adapter, .problem, "\(RadioError.noAdapter)",
      fix: blockingSwitch == nil
        ? .advice(RadioError.noAdapter.advice)
        : "unblock it first: a blocked adapter can disappear")
  }

  var switchResult: DiagnosticResult {
    guard let blocking = blockingSwitch else {
      return DiagnosticResult(.rfkill, .ok, "Bluetooth is not blocked")
    }
    let what = "\(blocking.name) blocks Bluetooth"
    return blocking.isHardBlocked
      ? DiagnosticResult(
        .rfkill, .problem, "\(what) by hardware",
        fix: "use the machine's wireless switch or key, or its firmware settings")
      : DiagnosticResult(
        .rfkill, .problem, "\(what) by software", fix: .command("rfkill", "unblock", "bluetooth"))
  }

  var powerResult: DiagnosticResult {
    guard let adapter = bluetooth.chosen else {
      return DiagnosticResult(.power, .unknown, "no adapter")
    }
    if adapter.isPowered {
      guard case .unmanaged(let count) = bluetooth.pairingObstacle else {
        return DiagnosticResult(.power, .ok, "\(adapter.name) is on")
      }
      let isCertain = count >= bluetooth.adapters.count(where: \.isPowered)
      return DiagnosticResult(
        .power, .warning,
        "\(adapter.name) is on, but \(isCertain ? "it" : "it or another adapter") was switched on "
          + "without the kernel's management, as hciconfig does: it cannot pair over LE",
        fix: .commands(switching("off", "on")))
    }
    let fix: Fix = blockingSwitch != nil ? "unblock it first" : .commands(switching("on"))
    return DiagnosticResult(.power, .problem, "\(adapter.name) is off", fix: fix)
  }

  private func switching(_ states: String...) -> [FixCommand] {
    let isDaemons = bluetooth.hasDaemon == true && bluetooth.adapters.count == 1
    return states.map { state in
      isDaemons
        ? FixCommand(["bluetoothctl", "power", state])
        : FixCommand(
          ["btmgmt", "--index", bluetooth.chosen?.name ?? "hci0", "power", state], needsRoot: true)
    }
  }

  private var missingAlgorithms: [String] {
    if case .algorithms(let names) = bluetooth.pairingObstacle { names } else { [] }
  }

  var lowEnergyResult: DiagnosticResult {
    switch bluetooth.chosen?.hasLowEnergy {
    case true: DiagnosticResult(.lowEnergy, .ok, "the adapter supports Bluetooth LE")
    case false:
      DiagnosticResult(
        .lowEnergy, .problem, "the adapter does not support Bluetooth LE",
        fix: "plug in one that does: Bluetooth 4.0 or later")
    case nil:
      DiagnosticResult(
        .lowEnergy, .unknown, "no adapter has reported whether it supports Bluetooth LE")
    }
  }

  /// The switch that blocks the chosen adapter or the whole machine.
  ///
  /// A hardware block takes precedence, because no command removes it.
  private var blockingSwitch: RfkillSwitch? {
    let blocking = bluetooth.switches.filter { entry in
      entry.isBlocking
        && !bluetooth.adapters.contains { $0.name == entry.name && $0 != bluetooth.chosen }
    }
    return blocking.first(where: \.isHardBlocked) ?? blocking.first
  }
}
