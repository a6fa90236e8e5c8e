internal import Bluetooth
internal import BluetoothLinux
internal import Companion
internal import GATT

extension SystemFacts {
  var kernelFinding: Finding {
    switch bluetooth.kernel {
    case .present: Finding(.kernel, .ok, "Linux has Bluetooth")
    case .absent:
      Finding(.kernel, .problem, "Linux has no Bluetooth", remedy: "sudo modprobe bluetooth")
    case .elsewhere:
      Finding(
        .kernel, .problem, "Linux has Bluetooth, but not in this network namespace",
        remedy: "start Earshot outside the container, or the container with --network=host")
    case .unknown(let error): Finding(.kernel, .unknown, "\(error)", remedy: error.advice)
    }
  }

  var adapterFinding: Finding {
    if let adapter = bluetooth.chosen {
      return Finding(.adapter, .ok, "\(adapter.name), \(adapter.address)")
    }
    guard bluetooth.kernel == .present else {
      return Finding(.adapter, .unknown, "cannot be seen without Linux's Bluetooth")
    }
    if let wantedAdapter, !bluetooth.adapters.isEmpty {
      let names = bluetooth.adapters.map(\.name).joined(separator: ", ")
      return Finding(
        .adapter, .problem, "there is no \(wantedAdapter), but \(names)",
        remedy: RadioError.unknownAdapter(wantedAdapter).advice)
    }
    return Finding(
      .adapter, .problem, "\(RadioError.noAdapter)",
      remedy: blockingSwitch == nil
        ? RadioError.noAdapter.advice : "unblock it first: a switch can take the adapter away")
  }

  var switchFinding: Finding {
    guard let blocking = blockingSwitch else {
      return Finding(.rfkill, .ok, "no switch blocks Bluetooth")
    }
    let what = "\(blocking.name) blocks Bluetooth"
    return blocking.isHardBlocked
      ? Finding(
        .rfkill, .problem, "\(what) by hardware",
        remedy: "use the machine's switch or key for radios, or its firmware's settings")
      : Finding(.rfkill, .problem, "\(what) by software", remedy: "rfkill unblock bluetooth")
  }

  var powerFinding: Finding {
    guard let adapter = bluetooth.chosen else {
      return Finding(.power, .unknown, "there is no adapter to be on")
    }
    if adapter.isPowered { return Finding(.power, .ok, "\(adapter.name) is on") }
    let remedy =
      if blockingSwitch != nil {
        "unblock it first"
      } else if bluetooth.hasDaemon == true, bluetooth.adapters.count == 1 {
        "bluetoothctl power on"
      } else {
        "sudo btmgmt --index \(adapter.name) power on"
      }
    return Finding(.power, .problem, "\(adapter.name) is off", remedy: remedy)
  }

  var lowEnergyFinding: Finding {
    switch bluetooth.chosen?.hasLowEnergy {
    case true: Finding(.lowEnergy, .ok, "the adapter speaks Bluetooth LE")
    case false:
      Finding(
        .lowEnergy, .problem, "the adapter does not speak Bluetooth LE",
        remedy: "plug in one that does: Bluetooth 4.0 or later")
    case nil: Finding(.lowEnergy, .unknown, "no adapter has told whether it speaks Bluetooth LE")
    }
  }

  /// Of the chosen adapter or of the whole machine; other adapters' switches are of no interest.
  ///
  /// What only hardware can lift comes first.
  private var blockingSwitch: RfkillSwitch? {
    let blocking = bluetooth.switches.filter { entry in
      entry.isBlocking
        && !bluetooth.adapters.contains { $0.name == entry.name && $0 != bluetooth.chosen }
    }
    return blocking.first(where: \.isHardBlocked) ?? blocking.first
  }
}
