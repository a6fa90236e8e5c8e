import BluetoothAttributes
import BluetoothKernel
import BluetoothRadio
import Companion
import Testing

@testable import Diagnostics

@Suite struct AdapterDiagnosisTests {
  @Test func `a healthy machine has nothing to fix, and each check once in its order`() {
    let results = diagnose(.healthy)
    #expect(results.map(\.check) == Check.machine)
    #expect(results.filter { $0.state != .ok || $0.remedy != nil } == [])
  }

  @Test func `an adapter says its version and its maker, where they are known`() {
    var facts = SystemFacts.healthy
    #expect(facts.result(.adapter)?.what == "hci0, 00:01:02:03:04:05")
    facts.bluetooth.controller = ControllerVersion(lmp: 11, company: 2)
    #expect(
      facts.result(.adapter)?.what == "hci0, 00:01:02:03:04:05, Bluetooth 5.2, Intel Corp.")
    facts.bluetooth.controller = ControllerVersion(lmp: 255, company: 65_000)
    #expect(facts.result(.adapter)?.what == "hci0, 00:01:02:03:04:05")
  }

  @Test func `a kernel that lacks what pairing needs is reported with the commands that help`() {
    var lacking = SystemFacts.healthy.but {
      $0.bluetooth.pairingObstacle = .algorithms(["ecdh", "cmac"])
    }
    #expect(lacking.result(.kernel)?.state == .warning)
    #expect(lacking.result(.kernel)?.what.contains("ecdh, cmac") == true)
    #expect(
      lacking.result(.kernel)?.remedy
        == "sudo modprobe -a ecdh_generic cmac && bluetoothctl power off && bluetoothctl power on")
    #expect(lacking.result(.power)?.state == .ok)
    lacking.bluetooth.hasDaemon = false
    #expect(
      lacking.result(.kernel)?.remedy?.hasSuffix("&& sudo btmgmt --index hci0 power on") == true)
  }

  @Test func `an adapter that hciconfig alone switched on is reported, and switched again`() {
    var facts = SystemFacts.healthy.but {
      $0.bluetooth.pairingObstacle = .unmanaged(count: 1)
      $0.bluetooth.hasDaemon = false
    }
    #expect(facts.result(.kernel)?.state == .ok)
    #expect(facts.result(.power)?.state == .warning)
    #expect(facts.result(.power)?.what.contains("but it was switched on") == true)
    #expect(
      facts.result(.power)?.remedy
        == "sudo btmgmt --index hci0 power off && sudo btmgmt --index hci0 power on")
    // The kernel does not tell which one it is.
    facts.bluetooth.adapters.append(.sample.named("hci1"))
    #expect(facts.result(.power)?.what.contains("it or another adapter was") == true)
    facts.bluetooth.pairingObstacle = .unmanaged(count: 2)
    #expect(facts.result(.power)?.what.contains("but it was switched on") == true)
  }

  @Test(
    arguments: [
      (.absent, .problem, "sudo modprobe bluetooth"),
      (
        .elsewhere, .problem,
        "start Earshot outside the container, or the container with --network=host"
      ),
      (
        .unknown(.system(errno: 24, during: "list adapters")), .unknown,
        RadioError.system(errno: 24, during: "").advice
      ),
    ] as [(BluetoothSurvey.Kernel, DiagnosticResult.State, String)])
  func `without the kernel's Bluetooth nothing is known of adapters`(
    kernel: BluetoothSurvey.Kernel, state: DiagnosticResult.State, remedy: String
  ) {
    let facts = SystemFacts.healthy.but {
      $0.bluetooth = BluetoothSurvey(
        kernel: kernel, adapters: [], chosen: nil, switches: [], hasDaemon: false)
    }
    #expect(facts.result(.kernel)?.state == state)
    #expect(facts.result(.kernel)?.remedy == remedy)
    for check in [Check.adapter, .power, .lowEnergy] {
      #expect(facts.result(check)?.state == .unknown)
    }
    #expect(
      diagnose(facts).contains { $0.state == .problem && $0.check.isAboutRadio }
        == (state == .problem))
  }

  @Test func `no adapter is a problem, and a switch may be the reason`() {
    var facts = SystemFacts.healthy.but {
      ($0.bluetooth.adapters, $0.bluetooth.chosen) = ([], nil)
      $0.bluetooth.switches = []
    }
    #expect(facts.result(.adapter)?.state == .problem)
    #expect(facts.result(.adapter)?.remedy == RadioError.noAdapter.advice)
    facts.bluetooth.switches = [laptopSwitch(isHard: false)]
    #expect(facts.result(.adapter)?.remedy?.hasPrefix("unblock it first") == true)
    #expect(facts.result(.rfkill)?.remedy == "rfkill unblock bluetooth")
  }

  @Test func `an adapter that is asked for and not there is reported with those that are`() {
    let facts = SystemFacts.healthy.but {
      $0.wantedAdapter = "hci7"
      $0.bluetooth.chosen = nil
    }
    #expect(facts.result(.adapter)?.what == "there is no hci7, but hci0")
    #expect(facts.result(.adapter)?.remedy == RadioError.unknownAdapter("hci7").advice)
  }

  @Test(
    arguments: [
      (RfkillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: false), "software"),
      (RfkillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: true), "hardware"),
      (laptopSwitch(isHard: true), "hardware"),
    ])
  func `a switch that blocks is a problem`(entry: RfkillSwitch, by: String) {
    let facts = SystemFacts.healthy.but { $0.bluetooth.switches = [entry] }
    let result = facts.result(.rfkill)
    #expect(result?.state == .problem)
    #expect(result?.what == "\(entry.name) blocks Bluetooth by \(by)")
    #expect((result?.remedy == "rfkill unblock bluetooth") == (by == "software"))
    #expect(diagnose(facts).contains { $0.state == .problem && $0.check.isAboutRadio })
  }

  @Test func `the switch of another adapter is of no interest`() {
    let facts = SystemFacts.healthy.but {
      $0.bluetooth.adapters.append(.sample.named("hci1"))
      $0.bluetooth.switches = [
        RfkillSwitch(name: "hci1", isSoftBlocked: true, isHardBlocked: false)
      ]
    }
    #expect(facts.result(.rfkill)?.state == .ok)
  }

  @Test func `an adapter that is off is switched on by who can`() {
    let off = AdapterInfo.sample.but { $0.isPowered = false }
    var facts = SystemFacts.healthy.but {
      ($0.bluetooth.adapters, $0.bluetooth.chosen) = ([off], off)
    }
    #expect(facts.result(.power)?.state == .problem)
    #expect(facts.result(.power)?.remedy == "bluetoothctl power on")
    facts.bluetooth.hasDaemon = false
    #expect(facts.result(.power)?.remedy == "sudo btmgmt --index hci0 power on")
    facts.bluetooth.switches = [laptopSwitch(isHard: false)]
    #expect(facts.result(.power)?.remedy == "unblock it first")
  }

  @Test(
    arguments: [(true, .ok), (false, .problem), (nil, .unknown)]
      as [(Bool?, DiagnosticResult.State)])
  func `an adapter without LE is a problem, where it tells`(
    hasIt: Bool?, state: DiagnosticResult.State
  ) {
    let facts = SystemFacts.healthy.but { $0.bluetooth.chosen?.hasLowEnergy = hasIt }
    #expect(facts.result(.lowEnergy)?.state == state)
  }
}

/// A switch of the whole machine.
private func laptopSwitch(isHard: Bool) -> RfkillSwitch {
  RfkillSwitch(name: "tpacpi_bluetooth_sw", isSoftBlocked: !isHard, isHardBlocked: isHard)
}

extension AdapterInfo {
  fileprivate func but(_ change: (inout AdapterInfo) -> Void) -> AdapterInfo {
    var changed = self
    change(&changed)
    return changed
  }

  fileprivate func named(_ name: String) -> AdapterInfo { but { $0.name = name } }
}
